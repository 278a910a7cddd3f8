import { defineSettings } from '../../settings/define-settings.ts'

/** A search engine beside the database. */
export const searchEngineSettings = defineSettings({
  searchEngineUrl: {
    type: 'url',
    protocols: ['http', 'https'],
    help: 'OpenSearch server that answers searches beside the database; without it the database answers all',
  },
  searchEngineUser: { type: 'string', help: 'Name by which the search engine knows this server' },
  searchEnginePassword: { type: 'secret', help: 'Password for it' },
  searchEngineIndex: {
    type: 'string',
    default: 'quire',
    pattern: { matches: /^[a-z][a-z0-9_]{0,40}$/, expected: 'lower-case letters, digits and _, at most 41' },
    help: 'First part of the names of the indexes in the search engine',
  },
  searchEngineFor: {
    type: 'choice',
    default: 'fulltext',
    choices: ['fulltext', 'all'],
    help: 'Which searches the engine answers, of those that it can: those with a full-text condition, or all',
  },
  searchEngineTimeout: {
    type: 'duration',
    default: '2s',
    min: '50ms',
    max: '1m',
    help: 'How long a search waits for the engine before the database is asked',
  },
  searchEngineBulkSize: {
    type: 'bytes',
    default: '5 MB',
    min: '100 KB',
    max: '50 MB',
    help: 'Most that is sent to the engine at once; a single document that has more is sent by itself',
  },
})
