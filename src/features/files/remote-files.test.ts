import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fetchFile } from './remote-files.ts'

test('a file that is read a while after it was asked for is whole, whatever is collected as garbage meanwhile', async (t) => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const other = createServer((_, response) => void response.end('all of it')).listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const url = new URL(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  const limits = { millis: 10_000, maxBytes: 100, signal: new AbortController().signal }
  const files = await Promise.all(Array.from({ length: 5 }, () => fetchFile(url, limits)))
  for (let collections = 0; collections < 3; collections++) {
    await pause(2)
    collectGarbage()
  }
  for (const { content } of files) assert.equal(await text(content), 'all of it')
})
