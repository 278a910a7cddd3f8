import { before, test } from 'node:test'
import fc from 'fast-check'
import { onEachServer } from '../support/servers.ts'
import { addListeners, checkHistory, history } from './rights-history.ts'

const histories = 6

onEachServer(
  'live events while rights change',
  (server) => {
    before(() => addListeners(server))

    test('are for those who could read the document then and can now, each once', { timeout: 120_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(history, (steps) => checkHistory(server, steps)),
        { numRuns: histories, endOnFailure: true },
      )
    })
  },
  { settings: { liveEventStreamsPerUser: 100 } },
)
