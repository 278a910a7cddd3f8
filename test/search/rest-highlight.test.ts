import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type DownloadRule, definePlugin } from '../../src/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'
import { type Parameters, searchBenchOn } from './search-bench.ts'

const enriched = { 'enrichers-document': 'highlight' }

const noSecrets: DownloadRule = {
  name: 'noSecrets',
  isAllowed: ({ blob }, { principal }) => blob.name !== 'kept.txt' || principal.isAdministrator,
}

onEachServer(
  'highlighting',
  (server) => {
    const bench = workbenchOn(server)
    const { list } = searchBenchOn(server)
    let found: (parameters: Parameters, headers?: { [name: string]: string }) => Promise<Answered>
    before(async () => {
      const properties = { 'dc:title': 'Annual report', 'dc:description': 'Of <all> reports, a report', 'dc:source': 'nothing' }
      const content = { name: 'memo.txt', data: 'The report of the year' }
      const { uid } = await bench.create('File', { ...properties, 'file:content': content })
      await untilIdle(server)
      found = async (parameters, headers = enriched) => {
        const { entries } = await list('/search/pp/default_search/execute', parameters, headers)
        return entries.find((entry: Answered) => entry.uid === uid)
      }
    })
    const highlight = async (parameters: Parameters) => (await found(parameters)).contextParameters.highlight

    test('marks the words in each field asked for in which they are', async () => {
      const fields = 'dc:title.fulltext,dc:description,dc:source,dc:nope'
      assert.deepEqual(await highlight({ ecm_fulltext: 'report', highlight: fields }), [
        { field: 'dc:title.fulltext', segments: ['Annual <em>report</em>'] },
        { field: 'dc:description', segments: ['Of &lt;all&gt; reports, a <em>report</em>'] },
      ])
    })
    test('marks the words in the files of the document', async () => {
      assert.deepEqual(await highlight({ ecm_fulltext: 'year', highlight: 'dc:title,ecm:binarytext' }), [
        { field: 'ecm:binarytext', segments: ['The report of the <em>year</em>'] },
      ])
    })
    test('tells nothing of the files of a document that may only be browsed', async () => {
      await server.addUser('browser', ['members'])
      const properties = { 'dc:title': 'Secret plan', 'file:content': { name: 'plan.txt', data: 'The plan is unheard of' } }
      const { uid } = await bench.create('File', properties)
      await bench.restrict(uid, grant('browser', 'Browse'))
      await untilIdle(server)
      const address = '/search/pp/default_search/execute?ecm_fulltext=unheard+plan&highlight=ecm:binarytext,dc:title'
      const { entries } = (await server.as('browser').get(address, enriched)).body
      assert.equal(entries[0].uid, uid)
      assert.deepEqual(entries[0].contextParameters.highlight, [{ field: 'dc:title', segments: ['Secret <em>plan</em>'] }])
    })
    test('tells nothing of a file that a download rule refuses, and of the others what is in them', async () => {
      await server.addUser('reader', ['members'])
      const kept = { name: 'kept.txt', data: 'The kept quagga' }
      const files = [{ file: { name: 'open.txt', data: 'An open quagga' } }]
      const { uid } = await bench.create('File', { 'dc:title': 'zoo', 'file:content': kept, 'files:files': files })
      await bench.restrict(uid, grant('reader', 'Read'))
      await untilIdle(server)
      const segments = async (user: string) => {
        const address = '/search/pp/default_search/execute?ecm_fulltext=quagga&highlight=ecm:binarytext'
        const { entries } = (await server.as(user).get(address, enriched)).body
        return entries[0].contextParameters.highlight[0].segments
      }
      assert.deepEqual(await segments('reader'), ['An open <em>quagga</em>'])
      assert.deepEqual((await segments('Administrator')).length, 2)
    })
    test('is empty where nothing was looked for', async () => {
      assert.deepEqual(await highlight({ highlight: 'dc:title', dc_creator: '["Administrator"]' }), [])
    })
    test('is empty without fields', async () => {
      assert.deepEqual(await highlight({ ecm_fulltext: 'report' }), [])
    })
    test('is there only for those who ask for the enricher', async () => {
      assert.ok(!('contextParameters' in (await found({ ecm_fulltext: 'report', highlight: 'dc:title' }, {}))))
    })
  },
  { plugins: [definePlugin({ name: 'secrets', downloadRules: [noSecrets] })] },
)
