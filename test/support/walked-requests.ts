import assert from 'node:assert/strict'
import type { Log } from '../../src/base/log.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { withContributed } from '../../src/plugin/gather-plugins.ts'
import { json } from '../../src/rest/answer.ts'
import { Type } from '../../src/rest/openapi/schema.ts'
import { defineSettings } from '../../src/settings/define-settings.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { type ApiAnswer, startTestServer, type TestServer } from '../../src/testing.ts'
import { beginBatch } from './uploads.ts'
import { walkedFiles } from './walk.ts'

/** A request, and the files of `src/` that it passes. */
export interface Walk {
  readonly name: string
  readonly request: string
  readonly files: readonly string[]
  /** Most files that it may pass: somebody who looks for a mistake has to know them. */
  readonly bound?: number
}

interface WalkedRequest extends Omit<Walk, 'files'> {
  prepare(server: TestServer): Promise<() => Promise<unknown>>
}

const folder = '/path/default-domain/workspaces'
const file = { 'entity-type': 'document', type: 'File', name: 'walked', properties: { 'dc:title': 'walked' } }

const requests: readonly WalkedRequest[] = [
  {
    name: 'read',
    request: '`GET /id/{id}`, of a document that was read before',
    bound: 35,
    async prepare(server) {
      const path = `/id/${(await created(server)).uid}`
      return () => answered(server.as('Administrator').get(path))
    },
  },
  {
    name: 'create',
    request: '`POST /upload`, `POST /upload/{batch}/0`, then `POST /path/{folder}` with that file',
    async prepare(server) {
      return async () => {
        const batch = await beginBatch(server)
        // Of a type that has no text to be read out, which a job would do while the walk is taken.
        const about = { 'x-file-name': 'some.bin', 'x-file-type': 'application/octet-stream' }
        await answered(batch.send(0, 'some bytes', about))
        const content = { 'upload-batch': batch.id, 'upload-fileId': '0' }
        const sent = { ...file, properties: { ...file.properties, 'file:content': content } }
        await answered(server.as('Administrator').post(folder, sent))
      }
    },
  },
  {
    name: 'query',
    request: '`GET /search/lang/NXQL/execute?query=…`, a page with its total',
    async prepare(server) {
      await created(server)
      const query = encodeURIComponent("SELECT * FROM Document WHERE dc:title = 'walked' ORDER BY dc:created")
      return () => answered(server.as('Administrator').get(`/search/lang/NXQL/execute?query=${query}`))
    },
  },
  {
    name: 'operation',
    request: '`POST /automation/Document.Update`, which writes a property',
    bound: 101,
    async prepare(server) {
      const { uid } = await created(server)
      let count = 0
      return () => {
        count += 1
        const call = { input: uid, params: { properties: `dc:description=${count}` } }
        return answered(server.as('Administrator').post('/automation/Document.Update', call))
      }
    },
  },
  {
    name: 'setting',
    request: 'the own setting of a plugin: read, handed to `contribute`, and answered with by its route, `GET /greeting`',
    async prepare(server) {
      const config = { settings: { greetingWord: 'Hello' } }
      return async () => {
        const values = readSettings([greetingSettings], { config })
        withContributed([greeting], values, () => server.services)
        assert.equal((await answered(server.as('Administrator').get('/greeting'))).body.word, 'Hello')
      }
    },
  },
]

const greetingSettings = defineSettings({ greetingWord: { type: 'string', default: 'Hi', help: 'The word' } })

const greeting = definePlugin({
  name: 'greeting',
  settings: greetingSettings,
  contribute: ({ greetingWord: word }) => ({
    routes: [
      {
        method: 'GET',
        path: '/greeting',
        under: 'api',
        summary: 'Says a word',
        answers: { 200: Type.Object({ word: Type.String() }) },
        handle: async () => json({ word }),
      },
    ],
  }),
})

/** A server has a log of its own, too. */
const ownLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

// Whoever walks in the hour of the nightly collection must not walk through it.
const settings = { greetingWord: 'Hello', blobGcHour: -1 }

/** Walks through all requests on a server of their own. */
export async function walkRequests(): Promise<readonly Walk[]> {
  const server = await startTestServer({ log: ownLog, plugins: [greeting], settings })
  try {
    const walks: Walk[] = []
    for (const { prepare, ...about } of requests) {
      walks.push({ ...about, files: await walkedFiles(await prepare(server)) })
    }
    return walks
  } finally {
    await server.stop()
  }
}

async function created(server: TestServer) {
  return (await answered(server.as('Administrator').post(folder, file))).body
}

async function answered(call: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await call
  assert.ok(answer.status < 300, `${answer.status}: ${answer.text}`)
  return answer
}
