import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { whereCurlIs } from '../support/curl.ts'
import { onEachServer } from '../support/servers.ts'
import type { Answered } from '../support/workbench.ts'

const run = promisify(execFile)
const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

onEachServer('the lines for a shell on the page of the API', (server) => {
  const lines = new Map<string, string>()
  let order: readonly string[] = []
  before(async () => {
    const page = await (await fetch(new URL('api/v1/doc/', server.url))).text()
    for (const [, id = '', line = ''] of page.matchAll(/<details [^>]*id="([^"]+)">[\s\S]*?<pre class="shell">([^<]*)<\/pre>/g)) {
      lines.set(
        id,
        line.replaceAll(/&([^;]+);/g, (_, name: string) => entities[name] ?? ''),
      )
    }
    order = [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title = '']) => title)
  })

  /** As pasted, but for the password, which nobody is there to type. */
  async function paste(id: string): Promise<string> {
    const line = lines.get(id) ?? assert.fail(id)
    const typed = line.replace('-u Administrator', '-u Administrator:Administrator')
    const { stdout } = await run('sh', ['-c', `${typed} -sS --fail-with-body`], { maxBuffer: 64_000_000 }).catch(
      (error: { stdout: string }) => assert.fail(`${line}\n${error.stdout}`),
    )
    return stdout
  }

  test('are there for every call', async () => {
    const described: Answered = await (await fetch(new URL('api/v1/openapi.json', server.url))).json()
    const ids = Object.values<object>(described.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    assert.deepEqual([...lines.keys()].sort(), ids.sort())
  })

  test('come with the documents first', () => assert.deepEqual(order.slice(0, 3), ['Documents', 'Search', 'Uploads']))

  describe('work as they stand', whereCurlIs, () => {
    test('from a document that is made to its removal', async () => {
      assert.equal(JSON.parse(await paste('createDocumentByPath')).path, '/default-domain/workspaces/report')
      assert.equal(JSON.parse(await paste('updateDocumentByPath')).title, 'Annual report')
      const found = JSON.parse(await paste('search'))
      assert.ok(found.entries.some(({ title }: { title: string }) => title === 'Annual report'))
      assert.equal(JSON.parse(await paste('runDocumentGetChildren'))['entity-type'], 'documents')
      assert.equal(await paste('deleteDocumentByPath'), '')
    })

    test('wherever something is read and nothing is left to be filled in', async () => {
      const isFilledIn = (line: string) => !/(?:\b|_)(?:ID|KEY|BLOB|OBJECT|FILE)\b/.test(line)
      // A file is needed, a link from a mail is, or there would be no end to wait for.
      const needsMore = /@(?:blob|convert|preview|rendition)|\/unsubscribe|\/events/
      const reading = [...lines].filter(
        ([, line]) => !/ (?:-X|-d|-H|-F|--data-binary)\b/.test(line) && isFilledIn(line) && !needsMore.test(line),
      )
      assert.ok(reading.length > 30)
      for (const [id] of reading) await paste(id)
    })
  })

  test('change and remove nobody and nothing that was there before', () => {
    for (const line of lines.values()) {
      if (!/ -X (?:PUT|DELETE) \S*\/(?:path|user|group|directory)\//.test(line)) continue
      assert.match(line, /workspaces\/report|USER_ID|GROUP_ID|DIRECTORY/, line)
    }
    assert.match(lines.get('runDocumentDelete') ?? '', /"input":"\/default-domain\/workspaces\/report"/)
  })
})
