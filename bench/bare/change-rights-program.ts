import { raw } from 'sql-template-tag'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { grant, localAclName } from '../../src/model/rights/acl.ts'
import { startTestServer } from '../../src/testing.ts'
import { editorsGroup } from '../load/people.ts'
import { homePath, idOf } from '../load/tree.ts'
import { type DatabasePlace, openBareDatabase } from './bare-database.ts'
import { runAsBareProgram } from './bare-program.ts'

export interface ChangeRightsSetup {
  readonly by: 'session' | 'statement'
  readonly database: DatabasePlace
  readonly settings: { readonly [name: string]: string }
}

runAsBareProgram(({ by, database, settings }: ChangeRightsSetup) =>
  by === 'session' ? changingInSession(settings) : changingInStatement(database),
)

// Gives the top of the tree another list of entries, which everything below inherits, and then the old one again.
async function changingInSession(settings: ChangeRightsSetup['settings']) {
  const server = await startTestServer({ settings })
  const own = [grant(editorsGroup, 'ReadWrite')]
  return {
    async once() {
      for (const aces of [[...own, grant('readers', 'Read')], own]) {
        await server.asSystem((session) => setAcls(session, idOf('home', 0), [{ name: localAclName, aces }]))
      }
    },
  }
}

// Writes another number into each row of the tree, and the old one again, so that the rights stay what they are.
async function changingInStatement(place: DatabasePlace) {
  const database = await openBareDatabase(place)
  const range = `path > '${homePath}/' AND path < '${homePath}0'`
  const steps = [1, -1].map((step) => database.prepare(raw(`UPDATE documents SET acp_id = acp_id + ${step} WHERE ${range}`)))
  return {
    async once() {
      for (const step of steps) {
        await database.begin()
        await step([])
        await database.commit()
      }
    },
  }
}
