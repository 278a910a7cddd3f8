import { lastMoment } from '../../base/iso-date.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Repository } from '../session.ts'

/** Repositories share their files: a collection that does not know one of them would remove its files. */
export const repositoryNotOpen = defineProblem(
  'repositoryNotOpen',
  'conflict',
  (of: { names: readonly string[] }) =>
    `Files of ${of.names.join(', ')} are kept here too: name every repository with --repositories, ` +
    'or those that are gone for good with quire gc --forget. Nothing was removed.',
)

/** Under which the first one has noted every repository. */
export const repositoryPrefix = 'repository/'

/** Writes down for all that share the database that these repositories exist. */
export async function noteRepositories(repositories: ReadonlyMap<string, Repository>): Promise<void> {
  const home = homeOf(repositories)
  const unknown = await listUnknown(home, [...repositories.keys()])
  if (unknown.length === 0) return
  await home.store.transact(async (tx) => {
    for (const name of unknown) await tx.transient.set(repositoryPrefix + name, true, lastMoment)
  })
}

/** @throws repositoryNotOpen when a repository exists that is not among these. */
export async function requireEveryRepository(repositories: ReadonlyMap<string, Repository>): Promise<void> {
  const names = (await listNoted(homeOf(repositories))).filter((name) => !repositories.has(name))
  if (names.length > 0) throw repositoryNotOpen({ names })
}

export async function forgetRepositories(repositories: ReadonlyMap<string, Repository>, names: readonly string[]): Promise<void> {
  await homeOf(repositories).store.transact(async (tx) => {
    for (const name of names) await tx.transient.remove(repositoryPrefix + name)
  })
}

async function listUnknown(home: Repository, names: readonly string[]): Promise<readonly string[]> {
  const noted = await listNoted(home)
  return names.filter((name) => !noted.includes(name))
}

/** Names of all repositories that were ever opened with this one. */
export async function listNoted({ store, now }: Repository): Promise<readonly string[]> {
  return (await store.reader.transient.list(repositoryPrefix, now())).map(({ key }) => key.slice(repositoryPrefix.length))
}

/** Where what concerns all repositories is written down. */
export function homeOf(repositories: ReadonlyMap<string, Repository>): Repository {
  const home = repositories.get('default')
  if (home === undefined) throw new Error('There is no repository named default.')
  return home
}
