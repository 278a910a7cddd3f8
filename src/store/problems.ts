import { defineProblem } from '../base/problem.ts'
import { maxPathBytes } from '../model/path-segment.ts'

export const storageConflict = defineProblem(
  'storageConflict',
  'conflict',
  (_: object) => 'Someone else is changing the same data. Read it again and repeat the request.',
)

export const transactionTimedOut = defineProblem(
  'transactionTimedOut',
  'unavailable',
  (after: { seconds: number }) =>
    `The request took longer than its transaction timeout of ${after.seconds} seconds and was rolled back.`,
)

export const queryTimedOut = defineProblem(
  'queryTimedOut',
  'unprocessable',
  (after: { milliseconds: number; setting?: string }) =>
    `The search took longer than ${after.milliseconds / 1_000} seconds and was stopped. Narrow it down, for example by a type, a path or ` +
    `an indexed property, or have the setting ${after.setting ?? 'searchTimeLimit'} raised.`,
)

export const tooManySearches = defineProblem(
  'tooManySearches',
  'unavailable',
  (_: object) => 'Too many long searches are running. Repeat the request later.',
)

export const searchUnavailable = defineProblem(
  'searchUnavailable',
  'unavailable',
  (_: object) => 'The process that the search needs could not be started or was ended. Repeat the request later.',
)

export const documentsTooLarge = defineProblem(
  'documentsTooLarge',
  'invalid',
  (of: { maxBytes: number }) =>
    `The documents asked for have more than the ${of.maxBytes} bytes that are read at once. Ask for fewer of them, in smaller pages.`,
)

export const databaseTooNew = defineProblem(
  'databaseTooNew',
  'unavailable',
  (found: { version: number; known: number }) =>
    `The database has schema version ${found.version}; this program knows versions up to ${found.known}. Start a newer program, or restore a backup from before: there is no other way back.`,
)

export const databaseProgramTooOld = defineProblem(
  'databaseProgramTooOld',
  'unavailable',
  (of: { place: string; found: string; needed: number }) =>
    `The database ${of.place} is on PostgreSQL ${of.found}; this program needs version ${of.needed} or newer.`,
)

export const databaseAbsent = defineProblem(
  'databaseAbsent',
  'unavailable',
  (of: { place: string }) =>
    `No server has made a database in ${of.place} yet. Start one there first, or name the place where the data is.`,
)

export const databaseForeign = defineProblem(
  'databaseForeign',
  'unavailable',
  (of: { place: string }) =>
    `The database in ${of.place} is that of another program: it has tables, and none of them are ours. Nothing was changed. Name the place ` +
    'where the data is.',
)

export const databaseReplaced = defineProblem(
  'databaseReplaced',
  'unavailable',
  (of: { place: string }) =>
    `The database file ${of.place} was removed or replaced while the server runs on it, so nothing is written any more. ` +
    'Put it back, or restart the server.',
)

export const databaseOutdated = defineProblem(
  'databaseOutdated',
  'unavailable',
  (found: { version: number; known: number }) =>
    `The database has schema version ${found.version}; this program works with ${found.known}. Start the server of this version once.`,
)

export const pluginTablesTooNew = defineProblem(
  'pluginTablesTooNew',
  'unavailable',
  (found: { plugin: string; version: number; known: number }) =>
    `The tables of the plugin ${found.plugin} have version ${found.version}; this one knows versions up to ${found.known}. Install a newer one.`,
)

export const pluginTablesOutdated = defineProblem(
  'pluginTablesOutdated',
  'unavailable',
  (found: { plugin: string; version: number; known: number }) =>
    `The tables of the plugin ${found.plugin} have version ${found.version}; this one works with ${found.known}. Start the server with it once.`,
)

/** `place` names the database without its password, and a file without its folder: clients are told, too. */
export const databaseUnusable = defineProblem(
  'databaseUnusable',
  'unavailable',
  (of: { place: string; reason: string }) => `The database ${of.place} cannot be used: ${of.reason}.`,
)

export const replicaWithoutServer = defineProblem(
  'replicaWithoutServer',
  'invalid',
  () =>
    'databaseReplicaUrl is given without databaseUrl, which it follows: the embedded database has no replica. Give both, or neither.',
)

export const directWithoutPooler = defineProblem(
  'directWithoutPooler',
  'invalid',
  () =>
    'databaseDirectUrl is given without databaseUrl: it is the way past a pooler that databaseUrl leads to. Give both, or name the database in databaseUrl alone.',
)

export const poolerInTheWay = defineProblem(
  'poolerInTheWay',
  'invalid',
  (of: { place: string }) =>
    `${of.place} is reached through a connection pooler, and this needs a connection to itself. Name the database past it, in databaseDirectUrl.`,
)

export const databaseFull = defineProblem(
  'databaseFull',
  'noSpace',
  (of: { place: string }) =>
    `The database ${of.place} has no space left on its disk. Nothing was written: free some space and repeat the request.`,
)

export const databaseLocked = defineProblem(
  'databaseLocked',
  'unavailable',
  (_: object) => 'Somebody else keeps what is needed of the database locked. Repeat the request later.',
)

export const databaseUnreachable = defineProblem(
  'databaseUnreachable',
  'unavailable',
  (of: { address: string }) => `The database at ${of.address} does not answer.`,
)

// It names what is moved: whoever may move a folder need not know what is hidden in it.
export const pathTooLong = defineProblem(
  'pathTooLong',
  'invalid',
  (of: { path: string; to: string }) =>
    `What is in ${of.path} would have a path longer than ${maxPathBytes} bytes at ${of.to}. Choose a shorter name or a place higher up.`,
)

export const entryIdTooLong = defineProblem(
  'entryIdTooLong',
  'invalid',
  (of: { id: string; longest: number }) =>
    `An id of ${of.id.length} characters, which begins with ${of.id.slice(0, 40).toWellFormed()}, is too long. The longest has ${of.longest}.`,
)
