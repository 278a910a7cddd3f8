import { defineSettings, type SettingValues } from '../../settings/define-settings.ts'
import type { UploadRules } from './uploads.ts'

/** How much may be sent ahead, and for how long it stays (contract: blobs 18). */
export const uploadSettings = defineSettings({
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
})

export function uploadRulesOf(settings: SettingValues<typeof uploadSettings>): UploadRules {
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
