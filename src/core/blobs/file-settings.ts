import type { SettingValues } from '../../settings/define-settings.ts'
import { defineSettings } from '../../settings/define-settings.ts'
import type { UploadRules } from '../uploads/uploads.ts'

/**
 * Where the bytes of files are, and what may be sent. Each is also known by the property name that clients' documentation uses
 * (contract: blobs 18, security 13), written here in its neutral form.
 */
export const fileSettings = defineSettings({
  blobs: {
    type: 'string',
    help: 'Where files are kept: s3://bucket/prefix?region=…&endpoint=…, or a folder. Without it, in the data folder',
  },
  blobDigestAlgorithm: {
    type: 'choice',
    default: 'MD5',
    choices: ['MD5', 'SHA-256'],
    help: 'The digest of files that clients are shown and compare with; the server itself goes by SHA-256',
  },
  blobDirectDownload: {
    type: 'boolean',
    default: false,
    help: 'Send clients to the object store for the bytes of files instead of passing them through',
  },
  adoptFiles: {
    type: 'boolean',
    default: false,
    help: 'For one start: take the files for those of this database though they are not, or the files or the database were lost',
  },
  remoteFileTimeout: {
    type: 'duration',
    default: '5m',
    min: '100ms',
    max: '1d',
    help: 'Time that another server may take to send or to receive a file, when an operation of an administrator asks it to',
  },
  uploadMaxBytes: {
    type: 'bytes',
    default: '20GB',
    min: '1KB',
    help: 'Largest file, chunk or form that may be uploaded in one request',
  },
  uploadBatchMaxBytes: {
    type: 'bytes',
    default: '100GB',
    min: '1KB',
    help: 'Most that one upload batch may hold',
  },
  uploadTotalMaxBytes: {
    type: 'bytes',
    min: '1KB',
    help: 'Most that all upload batches together may hold, about. Without it, as much as there is space',
  },
  uploadMaxChunks: {
    type: 'integer',
    default: 10_000,
    min: 1,
    help: 'Most chunks that a file may be uploaded in',
  },
  uploadMaxFiles: {
    type: 'integer',
    default: 10_000,
    min: 1,
    help: 'Most files that one upload batch may hold',
  },
  transientstoreTtl: {
    type: 'duration',
    default: '4h',
    bareUnit: 'm',
    min: '1s',
    property: 'platform.transientstore.ttl',
    help: 'Time an upload batch is kept since it was last used',
  },
  batchUploadWaitTimeout: {
    type: 'duration',
    default: '5s',
    bareUnit: 's',
    property: 'org.platform.batch.upload.wait.timeout',
    help: 'Time that a request which uses a file waits for its upload to end',
  },
  downloadSandboxEnabled: {
    type: 'boolean',
    default: true,
    property: 'platform.download.sandbox.enabled',
    help: 'Keep what is shown in the browser from running scripts, unless its type is known to be harmless',
  },
  downloadUrlFollowRedirect: {
    type: 'boolean',
    default: false,
    property: 'org.platform.download.url.follow.redirect',
    help: 'Show the address at the object store as the address of a file',
  },
})

type FileValues = SettingValues<typeof fileSettings>

export function uploadRulesOf(settings: FileValues): UploadRules {
  const { uploadTotalMaxBytes: totalMaxBytes } = settings
  return {
    maxBytes: settings.uploadMaxBytes,
    batchMaxBytes: settings.uploadBatchMaxBytes,
    ...(totalMaxBytes !== undefined && { totalMaxBytes }),
    maxChunks: settings.uploadMaxChunks,
    maxFiles: settings.uploadMaxFiles,
    ttlSeconds: settings.transientstoreTtl / 1000,
    waitSeconds: settings.batchUploadWaitTimeout / 1000,
  }
}
