import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'

interface Documented {
  readonly id: string
  readonly label: string
  readonly category: string
  readonly url: string
  readonly aliases?: readonly string[]
  readonly signature: readonly string[]
  readonly params: readonly { readonly name: string; readonly type: string; readonly required: boolean }[]
}

onEachServer(
  '1.3 the registry',
  (server) => {
    const admin = () => server.as('Administrator')

    async function registry(): Promise<{ operations: Documented[]; chains: Documented[]; paths: object; codecs: unknown[] }> {
      return (await admin().get('/automation')).body
    }

    test('has its four parts, and is the same at each of its addresses', async () => {
      const { paths, codecs, operations, chains } = await registry()
      assert.deepEqual([paths, codecs], [{ login: 'login' }, []])
      assert.ok(operations.length > chains.length)
      const { text } = await admin().get('/automation')
      for (const address of ['site/automation', 'site/api/v1/automation', 'site/automation/']) {
        assert.equal((await admin().call('GET', address)).text, text, address)
      }
    })

    test('is sorted by label and has chains among the operations, which are repeated with another url', async () => {
      const { operations, chains } = await registry()
      const labels = operations.map(({ label }) => label)
      assert.deepEqual(labels, labels.toSorted())
      assert.deepEqual(
        chains.map(({ id }) => id),
        operations.filter(({ category }) => category === 'Chain').map(({ id }) => id),
      )
      for (const { id, url, label } of chains) assert.deepEqual([url, label], [`Chain.${id}`, id])
      assert.equal(operations.find(({ id }) => id === 'specimenRename')?.url, 'specimenRename')
    })

    test('has no entries for aliases', async () => {
      const { operations } = await registry()
      assert.ok(!operations.some(({ id }) => id === 'Document.Fetch'))
      assert.ok(operations.some(({ aliases }) => aliases?.includes('Document.Fetch')))
    })

    test('is there for everybody who has logged in', async () => {
      await server.addUser('visitor')
      assert.equal((await server.as('visitor').get('/automation')).status, 200)
      assert.equal((await fetch(new URL('api/v1/automation', server.url))).status, 401)
    })

    test('is JSON for each way to ask for JSON, and indented for pretty=true', async () => {
      for (const accept of ['application/json', 'application/json+nxautomation', '*/*']) {
        const { status, headers } = await admin().get('/automation', { accept })
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'], accept)
      }
      assert.match((await admin().get('/automation?pretty=true')).text, /^\{\n {2}"paths"/)
    })

    describe('1.4 documents an operation', () => {
      test('with all that there is to say', async () => {
        const { status, body } = await admin().get('/automation/Specimen.Documented')
        assert.equal(status, 200)
        assert.deepEqual(body, {
          id: 'Specimen.Documented',
          aliases: ['Specimen.Described'],
          label: 'Described',
          category: 'Specimen',
          requires: 'Workflow',
          description: 'Has something of everything.',
          since: '1.0',
          url: 'Specimen.Documented',
          signature: ['document', 'blob', 'documents', 'bloblist', 'void', 'string'],
          params: [
            { name: 'bravo', description: 'Comes next', type: 'long', required: true, widget: null, order: 0, values: [] },
            { name: 'yankee', description: '', type: 'int', required: true, widget: 'Option', order: 2, values: ['1', '2'] },
            { name: 'xray', description: '', type: 'string', required: true, widget: null, order: 3, values: [] },
            { name: 'alfa', description: '', type: 'boolean', required: false, widget: null, order: 0, values: [] },
          ],
        })
      })

      test('under an alias as under its id, and an unknown one not at all', async () => {
        const { body } = await admin().get('/automation/Document.Fetch')
        assert.equal(body.id, 'Repository.GetDocument')
        const unknown = await admin().get('/automation/Noop')
        assert.deepEqual([unknown.status, unknown.body['entity-type']], [404, 'exception'])
      })

      test('as a page for browsers, as YAML, and indented', async () => {
        const page = await admin().get('/automation/Specimen.Documented', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
        assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
        assert.match(page.text, /^<pre>\{\n {2}"id": "Specimen.Documented"/)
        const yaml = await admin().get('/automation/Specimen.Documented/yaml')
        assert.match(yaml.headers.get('content-type') ?? '', /^application\/yaml/)
        assert.equal(JSON.parse(yaml.text).id, 'Specimen.Documented')
        assert.match((await admin().get('/automation/Specimen.Documented?pretty=true')).text, /^\{\n/)
      })

      const signatures: [id: string, signature: readonly string[]][] = [
        ['Document.Update', ['document', 'document', 'documents', 'documents']],
        ['Specimen.Swallow', ['document', 'void']],
        ['Specimen.FileName', ['blob', 'string', 'bloblist', 'list']],
        ['specimenRename', ['document', 'document', 'document', 'documents', 'documents', 'document', 'documents', 'documents']],
        ['specimenNothing', ['void', 'void']],
      ]
      for (const [id, signature] of signatures) {
        test(`${id} takes and gives ${signature.join()}`, async () => {
          assert.deepEqual((await admin().get(`/automation/${id}`)).body.signature, signature)
        })
      }

      test('and a chain with null where it says nothing', async () => {
        const { body } = await admin().get('/automation/Chain.specimenRename')
        assert.deepEqual(body, {
          id: 'specimenRename',
          aliases: ['specimenRenaming'],
          label: 'specimenRename',
          category: 'Chain',
          requires: null,
          description: null,
          url: 'specimenRename',
          signature: body.signature,
          params: [{ name: 'suffix', description: null, type: 'string', required: false, widget: null, order: 0, values: [] }],
        })
      })
    })

    describe('acceptance 30', () => {
      const parameters: [id: string, name: string, type: string, required?: boolean][] = [
        ['Document.GetChild', 'name', 'string', true],
        ['Document.AddPermission', 'users', 'list'],
        ['Document.AddPermission', 'end', 'date'],
        ['Document.AddPermission', 'blockInheritance', 'boolean'],
        ['Blob.CreateFromURL', 'file', 'resource'],
        ['Document.SetProperty', 'value', 'serializable'],
      ]
      for (const [id, name, type, required] of parameters) {
        test(`${id} has the parameter ${name} of type ${type}`, async () => {
          const { operations } = await registry()
          const found = operations.find((one) => one.id === id)?.params.find((one) => one.name === name)
          assert.equal(found?.type, type)
          if (required !== undefined) assert.equal(found?.required, required)
        })
      }

      test('aliases are told', async () => {
        const aliases = (await registry()).operations.flatMap(({ aliases }) => aliases ?? [])
        for (const alias of ['Document.Fetch', 'Blob.Create', 'Document.Query']) assert.ok(aliases.includes(alias), alias)
      })
    })

    test('is part of the description of the API: an address for each operation, with its parameters', async () => {
      const { paths } = (await admin().get('/openapi.json')).body
      for (const { id } of (await registry()).operations.filter(({ category }) => category !== 'Chain')) {
        assert.ok(paths[`/api/v1/automation/${id}`]?.post, id)
      }
      const { summary, requestBody } = paths['/api/v1/automation/Specimen.Documented'].post
      assert.equal(summary, 'Has something of everything. Also called Specimen.Described.')
      const { params } = requestBody.content['application/json'].schema.properties
      assert.deepEqual(params.required, ['bravo', 'yankee', 'xray'])
      assert.deepEqual(params.properties.bravo, { type: 'integer', format: 'int64', description: 'Comes next' })
      assert.deepEqual(params.properties.yankee.examples, ['1', '2'])
      assert.ok(requestBody.content['multipart/form-data'])
    })

    test('knows operations with the vendor’s word under the word of any deployment', async () => {
      for (const id of ['PlatformPrincipal.Get', 'AcmePrincipal.Get']) {
        assert.equal((await admin().get(`/automation/${id}`)).body.id, 'User.Get', id)
      }
      assert.equal((await admin().get('/automation/User.Get')).body.aliases.includes('PlatformPrincipal.Get'), true)
    })
  },
  { plugins: [specimenOperations] },
)

onEachServer(
  '1.3 a registry of its own',
  (server) => {
    test('shows aliases when told to, and the word of its vendor', async () => {
      const { operations } = (await server.as('Administrator').get('/automation')).body as { operations: Documented[] }
      const [fetch] = operations.filter(({ id }) => id === 'Document.Fetch')
      assert.deepEqual([fetch?.url, fetch?.label], ['Document.Fetch', 'Repository.GetDocument'])
      const user = operations.find(({ id }) => id === 'User.Get')
      assert.ok(user?.aliases?.includes('AcmePrincipal.Get'))
    })
  },
  { settings: { automationExportAliases: true, vendor: 'acme' } },
)
