import { before, test } from 'node:test'
import { startTestServer } from '../../src/testing.ts'
import { engines } from '../support/database-place.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { onEachServer } from '../support/servers.ts'
import { addCrew, playHistory } from './history.ts'

const seed = Number(process.env['QUIRE_TEST_SEED'] ?? 11)

onEachServer('after whatever several users did', (server) => {
  before(() => addCrew(server))
  test(`clients have what the server lists (seed ${seed})`, () => playHistory(server, server, seed))
})

for (const engine of engines) {
  test(`after whatever several users did by one server, clients of another have what that lists (${engine})`, async (context) => {
    const { settings } = await filledPlace(engine)
    const writing = await startTestServer({ settings })
    const reading = await startTestServer({ settings })
    context.after(async () => {
      for (const server of [writing, reading]) await server.stop()
    })
    await addCrew(writing)
    await playHistory(writing, reading, seed + 36)
  })
}
