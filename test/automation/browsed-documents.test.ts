import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { required } from '../../src/automation/parameter.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { untilIdle } from '../support/background.ts'
import { attach } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const taking = ['Document.GetBlob', 'Document.GetBlobs', 'Document.Export', 'Document.GetRendition', 'Blob.BulkDownload'] as const

/** What somebody deploys who thinks only of documents that all may read. */
const chains = taking.map((operation) =>
  defineChain({
    id: `found-${operation}`,
    params: { query: required('string') },
    steps: [
      { operation: 'Repository.Query', params: { query: 'expr:ChainParameters["query"]' } },
      { operation, ...(operation === 'Document.GetRendition' && { params: { renditionName: 'mainBlob' } }) },
    ],
  }),
)

onEachServer(
  'a document that may be browsed and not read',
  (server) => {
    const bench = workbenchOn(server)
    const bob = () => server.as('bob')
    let folder: Answered
    let hidden: Answered
    let query = ''

    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder', {})
      hidden = await bench.create('File', { 'dc:title': 'hidden' }, { parent: folder.path })
      await attach(server, hidden.uid, 'confidential', { name: 'c.txt', 'mime-type': 'text/plain' })
      await bench.restrict(hidden.uid, grant('bob', 'Browse'), grant('bob', 'Write'))
      query = `SELECT * FROM File WHERE ecm:uuid = '${hidden.uid}'`
    })

    test('is found in lists, which is all', async () => {
      const { entries } = requireStatus(200, await bob().get(`/search/execute?query=${encodeURIComponent(query)}`))
      assert.equal(entries[0].uid, hidden.uid)
      assert.equal((await bob().get(`/id/${hidden.uid}`)).status, 403)
    })

    describe('is no input of an operation', () => {
      const calls: readonly [id: string, params?: object][] = [
        ['Document.GetBlob'],
        ['Blob.Get'],
        ['Document.GetBlobs'],
        ['Document.GetBlobsByProperty'],
        ['Blob.BulkDownload'],
        ['Document.Export'],
        ['Document.GetRendition', { renditionName: 'mainBlob' }],
        ['Document.Update', { properties: 'dc:description=changed' }],
        ['Document.Trash'],
      ]
      for (const [id, params = {}] of calls) {
        test(`${id}, by whichever list it was found`, async () => {
          const lists = [
            `/path${folder.path}/@search/@op/${id}?query=${encodeURIComponent(query)}`,
            `/path${folder.path}/@children/@op/${id}`,
            `/path${folder.path}/@pp/advanced_document_content/@op/${id}?ecm_parentId=${folder.uid}`,
          ]
          for (const address of lists) {
            const { status, text } = await bob().post(address, { params })
            assert.equal(status, 403, `${address}: ${text}`)
            assert.ok(!text.includes('confidential'))
          }
          const named = await bob().post(`/automation/${id}`, { input: `docs:${hidden.uid}`, params })
          assert.equal(named.status, 403, 'as when it is named')
        })
      }

      test('by a call that is done later', async () => {
        const address = `/path${folder.path}/@search/@op/Document.GetBlob/@async?query=${encodeURIComponent(query)}`
        const { status, text } = await bob().post(address, {})
        assert.ok(status >= 400, `${status}`)
        assert.ok(!text.includes('confidential'))
      })

      test('by a bulk action, which passes it over', async () => {
        const body = { operationId: 'Document.Update', parameters: { properties: 'dc:description=in bulk' } }
        requireStatus(202, await bob().post(`/search/bulk/automation?query=${encodeURIComponent(query)}`, body))
        await untilIdle(server)
        assert.equal((await bench.readProperties(hidden.uid))['dc:description'], null)
      })
    })

    describe('gives nothing to a chain that found it', () => {
      for (const operation of taking) {
        test(`and goes on with ${operation}`, async () => {
          const admitted = await server.as('Administrator').post(`/automation/found-${operation}`, { params: { query } })
          assert.equal(admitted.status, 200, admitted.text)
          const { status, text } = await bob().post(`/automation/found-${operation}`, { params: { query } })
          assert.equal(status, operation === 'Blob.BulkDownload' ? 204 : 403, text)
          assert.ok(!text.includes('confidential') && !text.includes('document.xml'))
        })
      }
    })
  },
  { plugins: [definePlugin({ name: 'test-chains', chains })] },
)
