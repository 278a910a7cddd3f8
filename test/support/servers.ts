import { after, before, describe } from 'node:test'
import { startTestServer, type TestServer, type TestServerOptions } from '../../src/testing.ts'
import { type EngineName, engines } from './database-place.ts'
import { databaseSettings } from './database-settings.ts'
import { filledDatabase } from './filled-database.ts'
import { heeding } from './heeded-answers.ts'

/** Runs the same tests against a whole server on each engine; the server starts before them and stops after. */
export function onEachServer(
  name: string,
  tests: (server: TestServer, engine: EngineName) => void,
  options: TestServerOptions = {},
): void {
  for (const engine of engines) {
    describe(`${name} (${engine})`, () => {
      let running: TestServer | undefined
      before(async () => {
        // What a first start stores carries the vendor's word.
        const findDatabase = options.settings?.['vendor'] === undefined ? filledDatabase : databaseSettings
        const settings: TestServerOptions['settings'] = { ...options.settings, ...(await findDatabase(engine)) }
        running = heeding(await startTestServer({ ...options, settings }), String(settings['vendor'] ?? 'platform'))
      })
      after(() => running?.stop())
      tests(
        whenStarted(() => running),
        engine,
      )
    })
  }
}

/** Tests are declared before the server starts, so they are handed one that looks it up when used. */
function whenStarted(find: () => TestServer | undefined): TestServer {
  return new Proxy({} as TestServer, {
    get(_, name) {
      const server = find()
      if (server === undefined) throw new Error('The server has not started.')
      return server[name as keyof TestServer]
    },
  })
}
