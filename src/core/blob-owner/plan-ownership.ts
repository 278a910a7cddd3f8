import { defineProblem } from '../../base/problem.ts'

const adopting = 'Once that is meant, start once with --adopt-files.'

export const filesOfAnotherDatabase = defineProblem(
  'filesOfAnotherDatabase',
  'conflict',
  (of: { repository: string }) =>
    `the files at --blobs belong to another database than the one of the repository ${of.repository}: ` +
    `correct --blobs, or --data or --database-url. Nothing was changed. ${adopting}`,
)

export const databaseLost = defineProblem(
  'databaseLost',
  'conflict',
  (of: { repository: string }) =>
    `there are files at --blobs, and the database of the repository ${of.repository} that they belong to is missing or empty: ` +
    `bring it back from a backup, or correct --data or --database-url. Nothing was changed. ${adopting}`,
)

export const filesLost = defineProblem(
  'filesLost',
  'conflict',
  (of: { repository: string }) =>
    `documents of the repository ${of.repository} have files, and there are none at --blobs: mount them, bring them back from a ` +
    `backup, or correct --blobs. Nothing was changed. ${adopting}`,
)

/** What is known of a repository's database before it is used. */
export interface DatabaseFacts {
  readonly repository: string
  /** Whose files it knows to be its own. */
  readonly owner: string | undefined
  /** Without even a root: it was just made. */
  readonly isNew: boolean
  /** Some document refers to a file. */
  readonly hasFiles: boolean
  /** The first repository knows that this one was there. */
  readonly isNoted: boolean
}

export interface OwnershipFacts {
  /** As the blob store has it. */
  readonly owner: string | undefined
  readonly storeHasFiles: boolean
  readonly databases: readonly DatabaseFacts[]
}

/** Why the files and the databases must not be used with each other; undefined when they belong together, or may from now on. */
export function findSeparation({ owner, storeHasFiles, databases }: OwnershipFacts): Error | undefined {
  const known = owner ?? databases.find((database) => database.owner !== undefined)?.owner
  for (const [index, database] of databases.entries()) {
    const { repository } = database
    const isHome = index === 0
    if (isLost(database, isHome && (owner !== undefined || storeHasFiles))) return databaseLost({ repository })
    if (database.owner !== undefined && database.owner !== known) return filesOfAnotherDatabase({ repository })
    if (owner !== undefined && database.owner === undefined && isForeign(database, isHome)) {
      return filesOfAnotherDatabase({ repository })
    }
    if (owner === undefined && !storeHasFiles && database.hasFiles) return filesLost({ repository })
  }
  return undefined
}

/** One that is new and knows its files is being made at this moment, by another process that starts. */
function isLost({ isNew, isNoted, owner }: DatabaseFacts, isMissed: boolean): boolean {
  return isNew && (isNoted || (isMissed && owner === undefined))
}

/** One that was there before its files got an owner; a repository that is added later is not. */
function isForeign({ isNew, isNoted, hasFiles }: DatabaseFacts, isHome: boolean): boolean {
  return isHome || (!isNew && !isNoted && hasFiles)
}
