import { defineProblem } from '../../../base/problem.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import type { Repository } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import { systemPrincipal } from '../../../model/rights/principal.ts'
import { firstAdministrator } from '../../../settings/administrator-password.ts'

export const noArchiveTarget = defineProblem(
  'noArchiveTarget',
  'notFound',
  (of: { path: string; reason: string }) => `cannot import to ${of.path}: ${of.reason}`,
)

export const wholeNeedsRoot = defineProblem(
  'wholeNeedsRoot',
  'conflict',
  (of: { path: string }) =>
    `The archive has a whole repository, which goes to / of an empty one and not to ${of.path}. ` +
    'To bring a part of it elsewhere, export that part: quire export /path/of/it …',
)

export const repositoryNotEmpty = defineProblem(
  'repositoryNotEmpty',
  'conflict',
  (of: { repository: string; reason: string }) =>
    `The archive has a whole repository, and ${of.repository} is not empty: ${of.reason}. Nothing was imported. ` +
    'Start a server once with a data folder or a database of its own, stop it, and import there.',
)

export const peopleThere = defineProblem(
  'peopleThere',
  'conflict',
  (of: { names: readonly string[] }) =>
    `The archive has users and groups, and this server has its own already, such as ${of.names.join(', ')}. Nothing was imported. ` +
    '--without-people imports the documents alone.',
)

/** @throws noArchiveTarget, wholeNeedsRoot */
export async function readTarget({ store, model }: Repository, path: string, isWhole: boolean): Promise<Document> {
  if (isWhole && path !== '/') throw wholeNeedsRoot({ path })
  const target = await store.reader.documents.findByPath(path)
  if (target === undefined) throw noArchiveTarget({ path, reason: 'there is no document' })
  const refuse = (reason: string) => noArchiveTarget({ path, reason })
  if (target.isProxy) throw refuse('it is a proxy')
  if (target.isTrashed) throw refuse('it is in the trash')
  if (!isWhole && !model.shapeOf(target).hasFacet('Folderish')) throw refuse(`a ${target.type} holds no documents`)
  return target
}

const talliedAtOnce = 5_000
/** The domain with its folders, and what plugins put beside them. What the server imports for nobody has its name too. */
const mostOfFirstStart = 60

/** Whether nothing was done in it yet: all its documents are those that a first start makes. @throws repositoryNotEmpty, peopleThere */
export async function requireEmpty(repository: Repository, withPeople: boolean): Promise<void> {
  const { documents } = repository.store.reader
  const server = systemPrincipal().name
  let documentCount = 0
  for (let after = 0; ; ) {
    const tallied = await documents.tally(after, talliedAtOnce)
    const made = tallied.find(({ creator }) => creator !== null && creator !== server)
    if (made !== undefined)
      throw repositoryNotEmpty({ repository: repository.name, reason: `${made.creator} has made a ${made.type}` })
    documentCount += tallied.reduce((sum, { count }) => sum + count, 0)
    const last = tallied.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  if (documentCount > mostOfFirstStart)
    throw repositoryNotEmpty({ repository: repository.name, reason: `it has ${documentCount} documents` })
  if ((await repository.store.reader.blobKeys.count()) > 0)
    throw repositoryNotEmpty({ repository: repository.name, reason: 'its documents have files' })
  if (withPeople) await requireNobody(repository)
}

const namedAtMost = 3

async function requireNobody({ directories }: Repository): Promise<void> {
  const users = await directories.store.reader.directories.search({
    directory: userDirectory,
    order: [{ field: 'username', isAscending: true }],
    offset: 0,
    limit: namedAtMost + 1,
  })
  const names = users.entries.map(({ id }) => id).filter((id) => id !== firstAdministrator)
  if (names.length > 0) throw peopleThere({ names: names.slice(0, namedAtMost) })
}
