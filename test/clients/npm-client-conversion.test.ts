import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { onEachServer } from '../support/servers.ts'
import { createBlob, createClient } from './npm-client.ts'

const workspaces = '/default-domain/workspaces'
const ways = [{ format: 'html' }, { type: 'text/html' }, { converter: 'office2html' }] as const

onEachServer(
  'conversion with the published npm client, on a machine with nothing but Node.js',
  (server) => {
    async function aSmallText() {
      const client = createClient(server.url, 'Administrator').schemas(['file'])
      const content = 'a small text'
      const blob = createBlob({ content, name: 'small.txt', mimeType: 'text/plain', size: content.length })
      const { blob: uploaded } = await client.batchUpload().upload(blob)
      const created = { type: 'File', name: 'small', properties: { 'file:content': uploaded } }
      return { client, document: await client.repository().create(workspaces, created) }
    }

    for (const way of ways) {
      describe(`of a small text by ${JSON.stringify(way)}`, () => {
        test('at once', async () => {
          const { document } = await aSmallText()
          const page = await text((await document.convert(way)).body)
          assert.match(page, /<html[\s\S]*a small text/)
        })

        test('later', async () => {
          const { client, document } = await aSmallText()
          const { conversionId, pollingURL, resultURL } = await document.scheduleConversion(way)
          assert.ok(pollingURL.endsWith(`/nuxeo/api/v1/conversions/${conversionId}/poll`), pollingURL)
          let status = ''
          while (status !== 'completed') {
            status = (await client.request(`conversions/${conversionId}/poll`).get()).status
            await wait(10)
          }
          const answer = await fetch(resultURL, { headers: { authorization: `Basic ${btoa('Administrator:Administrator')}` } })
          assert.match(await answer.text(), /<html[\s\S]*a small text/)
        })
      })
    }
  },
  { settings: { vendor: 'nuxeo', basePath: '/nuxeo', conversionPath: '/nowhere' } },
)
