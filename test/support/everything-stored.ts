import { compile, searchDocuments } from '../../src/core/search/page/run-query.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { TestServer } from '../../src/testing.ts'

/** All that a server keeps in its database, as far as anybody could notice: two of them are equal when nothing has happened between. */
export function everythingStored(server: TestServer): Promise<object> {
  return server.asSystem(async (session) => {
    const { reader, repository } = session
    const { documents } = await searchDocuments(session, compile(session, 'SELECT * FROM Document ORDER BY ecm:uuid'), {
      offset: 0,
    })
    const relations = await searchDocuments(session, compile(session, 'SELECT * FROM Relation ORDER BY ecm:uuid'), { offset: 0 })
    const directories: [string, object][] = []
    for (const name of repository.directories.definitions.keys()) directories.push([name, await reader.directories.list(name)])
    return {
      documents,
      relations: relations.documents,
      lists: await reader.acps.listAfter(0),
      jobs: (await reader.jobs.list({}, 1_000)).filter((job) => !isScheduled(job)),
      directories: Object.fromEntries(directories),
      generation: await reader.directories.generation(),
    }
  })
}

/** Comes and goes with the clock, whatever is asked for: a job whose payload is the tick of a schedule. */
function isScheduled({ payload }: Job): boolean {
  return Object.keys(payload ?? {}).join() === 'since'
}
