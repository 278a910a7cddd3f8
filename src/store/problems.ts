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
  (after: { milliseconds: number }) =>
    `The search took longer than ${after.milliseconds / 1_000} seconds and was stopped. Narrow it down, for example by a type, a path or ` +
    'an indexed property, or have the setting searchTimeLimit raised.',
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

export const databaseTooNew = defineProblem(
  'databaseTooNew',
  'unavailable',
  (found: { version: number; known: number }) =>
    `The database has schema version ${found.version}; this program knows versions up to ${found.known}. Start a newer program.`,
)

export const databaseAbsent = defineProblem(
  'databaseAbsent',
  'unavailable',
  (of: { place: string }) =>
    `No server has made a database in ${of.place} yet. Start one there first, or name the place where the data is.`,
)

export const databaseOutdated = defineProblem(
  'databaseOutdated',
  'unavailable',
  (found: { version: number; known: number }) =>
    `The database has schema version ${found.version}; this program works with ${found.known}. Start the server of this version once.`,
)

export const databaseLocked = defineProblem(
  'databaseLocked',
  'unavailable',
  (of: { seconds: number }) =>
    `Somebody else has kept what the request needs of the database locked for ${of.seconds} seconds. Repeat the request later.`,
)

export const databaseUnreachable = defineProblem(
  'databaseUnreachable',
  'unavailable',
  (of: { address: string }) => `The database at ${of.address} does not answer.`,
)

export const pathTooLong = defineProblem(
  'pathTooLong',
  'invalid',
  (of: { path: string; to: string }) =>
    `${of.path} would have a path longer than ${maxPathBytes} bytes below ${of.to}. Choose a shorter name or a place higher up.`,
)

export const entryIdTooLong = defineProblem(
  'entryIdTooLong',
  'invalid',
  (of: { id: string; longest: number }) =>
    `An id of ${of.id.length} characters, which begins with ${of.id.slice(0, 40).toWellFormed()}, is too long. The longest has ${of.longest}.`,
)
