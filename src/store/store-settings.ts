import { defineSettings, type SettingValues } from '../settings/define-settings.ts'
import type { StorePlace } from './open-store.ts'

/** Where documents are, and what a process keeps of them. */
export const storeSettings = defineSettings({
  databaseUrl: {
    type: 'url',
    protocols: ['postgres', 'postgresql'],
    help: 'PostgreSQL database to use instead of the embedded one in the data folder',
  },
  databaseDirectUrl: {
    type: 'url',
    protocols: ['postgres', 'postgresql'],
    help: 'The same PostgreSQL database past a connection pooler that databaseUrl leads to, for what needs a connection to itself: migrations, indexes, backups, and hearing of what other servers commit',
  },
  databaseReplicaUrl: {
    type: 'url',
    protocols: ['postgres', 'postgresql'],
    help: 'PostgreSQL server that follows the one of databaseUrl, for searches and lists: they wait until it has all that was committed, and go to the other one where that takes too long',
  },
  databaseSchema: {
    type: 'string',
    default: 'quire',
    pattern: { matches: /^[a-z][a-z0-9_]{0,30}$/, expected: 'lower-case letters, digits and _, at most 31' },
    help: 'First part of the names of the PostgreSQL schemas, one a repository',
  },
  documentCache: {
    type: 'integer',
    default: 25_000,
    min: 0,
    help: 'Documents that a process keeps at hand, about 5 KB each with its answer',
  },
})

/** What a search may cost, which the store sees to. */
export const searchCostSettings = defineSettings({
  searchTimeLimit: {
    type: 'duration',
    default: '30s',
    min: '10ms',
    max: '1d',
    help: 'Longest time a search may take before it is stopped',
  },
  searchTimeLimitWhileWriting: {
    type: 'duration',
    default: '250ms',
    min: '10ms',
    max: '1d',
    help: 'Longest time a search may take that its request makes after a change, when all others wait for it (embedded database)',
  },
  searchProcesses: {
    type: 'integer',
    default: 2,
    min: 1,
    max: 64,
    help: 'Processes for the long searches in a repository, started when needed (embedded database)',
  },
  searchesPerUser: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    help: 'Most long searches of one user at the same time, in each process; others of theirs wait. 0: as many as there are places for',
  },
  searchSlow: {
    type: 'duration',
    default: '0s',
    max: '1d',
    help: 'Time from which on a search is told of in the log, with its NXQL and how the database runs it; 0: never',
  },
})

type StoreValues = SettingValues<typeof storeSettings> & SettingValues<typeof searchCostSettings>

export function storePlaceOf(
  settings: StoreValues,
): Pick<
  StorePlace,
  'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl' | 'databaseSchema' | 'cachedDocuments' | 'searchLimits'
> {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, databaseSchema, documentCache: cachedDocuments } = settings
  return {
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(databaseDirectUrl !== undefined && { databaseDirectUrl }),
    ...(databaseReplicaUrl !== undefined && { databaseReplicaUrl }),
    databaseSchema,
    cachedDocuments,
    searchLimits: {
      timeLimitMilliseconds: settings.searchTimeLimit,
      whileWritingMilliseconds: settings.searchTimeLimitWhileWriting,
      processes: settings.searchProcesses,
      perUser: settings.searchesPerUser,
      slowMilliseconds: settings.searchSlow,
    },
  }
}
