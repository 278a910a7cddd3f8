import { defineSettings } from '../../settings/define-settings.ts'

/** Where the bytes of files are, and whether they are those of the database. */
export const blobSettings = defineSettings({
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
  adoptFiles: {
    type: 'boolean',
    default: false,
    help: 'For one start: take the files for those of this database though they are not, or the files or the database were lost',
  },
})
