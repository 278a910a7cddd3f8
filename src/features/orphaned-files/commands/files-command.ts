/** The settings that commands about files show in their help. */
export const filesCommandSettings = [
  'data',
  'databaseUrl',
  'databaseSchema',
  'repositories',
  'blobs',
  'logLevel',
  'config',
] as const
