import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { basic, download } from '../support/files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  'a call',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const send = (body: string, contentType: string, id = 'Specimen.Tell') =>
      server.as('Administrator').call('POST', `api/v1/automation/${id}`, { headers: { 'content-type': contentType }, body })

    describe('1.2 as JSON', () => {
      for (const type of ['application/json', 'application/json+nxrequest', 'application/json; charset=ISO-8859-1']) {
        test(`is read as UTF-8 with the content type ${type}`, async () => {
          const { status, body } = await send('{"params":{"text":"é"}}', type)
          assert.deepEqual([status, body.value.text], [200, 'é'])
        })
      }

      test('may be an empty object, and unknown keys are ignored', async () => {
        assert.equal((await call('Specimen.Tell', {})).status, 200)
        assert.equal((await send('{"foo":1,"params":null,"context":null}', 'application/json')).status, 200)
      })

      const refused: [what: string, body: string, type: string, status: number][] = [
        ['is empty', '', 'application/json', 400],
        ['is no JSON', '{"params":', 'application/json', 400],
        ['is a list', '[]', 'application/json', 400],
        ['is a text', '"x"', 'application/json', 400],
        ['is null', 'null', 'application/json', 400],
        ['has parameters that are no object', '{"params":[1]}', 'application/json', 400],
        ['has a context that is no object', '{"context":"x"}', 'application/json', 400],
        ['is of another type', '{}', 'text/plain', 415],
        ['is of no type', '{}', '', 415],
      ]
      for (const [what, body, type, status] of refused) {
        test(`is refused with ${status} when it ${what}`, async () => {
          const answer = await send(body, type)
          assert.equal(answer.status, status)
          assert.deepEqual([answer.body['entity-type'], answer.body.status], ['exception', status])
        })
      }

      test('is answered with JSON whatever else is accepted', async () => {
        for (const accept of ['application/json, */*', '*/*', 'application/json+nxentity', 'text/html']) {
          const { status } = await call('Specimen.Tell', {}, { accept })
          assert.equal(status, 200, accept)
        }
      })
    })

    describe('1.2 as a form', () => {
      test('is its field jsondata', async () => {
        const { status, body } = await send(
          `jsondata=${encodeURIComponent('{"params":{"text":"a b+c&é"}}')}`,
          'application/x-www-form-urlencoded',
        )
        assert.deepEqual([status, body.value.text], [200, 'a b+c&é'])
      })

      test('without the field, or with a broken one, is refused', async () => {
        for (const sent of ['json=%7B%7D', '{"params": {}}']) {
          const { status, body } = await send(sent, 'application/x-www-form-urlencoded')
          assert.equal(status, 400)
          assert.match(body.message, /no field jsondata\. Send the JSON as application\/json, or in that field\./)
        }
        assert.equal((await send('jsondata=%7B', 'application/x-www-form-urlencoded')).status, 400)
      })
    })

    describe('1.2 in several parts', () => {
      const related = (...parts: readonly string[]) => `${parts.map((part) => `--xxx\r\n${part}\r\n`).join('')}--xxx--\r\n`
      const request = (json: string) =>
        `Content-Type: application/json+nxrequest\r\nContent-ID: request\r\nContent-Transfer-Encoding: 8bit\r\nContent-Length: ${json.length}\r\n\r\n${json}`
      const file = (name: string, content: string, type = 'text/plain') =>
        `Content-Type: ${type}\r\nContent-Disposition: attachment; ${name}\r\nContent-Transfer-Encoding: binary\r\n\r\n${content}`
      const relatedType = 'multipart/related; boundary="xxx"; type="application/json+nxrequest"; start="request"'

      test('has a file as input, and an input of its JSON is overridden', async () => {
        const sent = related(request('{"params":{"text":"t"},"input":"doc:/"}'), file('filename="a.txt"', 'hello'))
        const { status, body } = await send(sent, relatedType)
        assert.equal(status, 200)
        assert.deepEqual([body.value.input, body.value.types, body.value.text], ['blob', ['text/plain'], 't'])
      })

      test('has the bytes of that file', async () => {
        const form = new FormData()
        form.set('params', new Blob(['{}'], { type: 'application/json' }))
        form.set('input', new Blob(['bytes é'], { type: 'text/x-own' }), 'naïve ✓.txt')
        const answer = await download(server, 'api/v1/automation/Specimen.Echo', { method: 'POST', body: form })
        assert.deepEqual([answer.status, answer.text], [200, 'bytes é'])
        assert.match(answer.headers.get('content-type') ?? '', /^text\/x-own/)
        assert.match(answer.headers.get('content-disposition') ?? '', /filename\*=UTF-8''na%C3%AFve%20%E2%9C%93\.txt/)
      })

      test('has several files as a list, in their order', async () => {
        const sent = related(request('{}'), file('filename="b.txt"', '1'), file('filename="a.txt"', '2'), file('name=x', '3'))
        const { body } = await send(sent, relatedType)
        assert.deepEqual([body.value.input, body.value.names], ['blobs', ['b.txt', 'a.txt', null]])
      })

      describe('with a Content-Transfer-Encoding', () => {
        const encoded = (encoding: string, content: string, type = 'application/x-own') =>
          `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="a"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}`
        const echo = (sent: string) =>
          download(server, 'api/v1/automation/Specimen.Echo', {
            method: 'POST',
            body: sent,
            headers: { 'content-type': relatedType },
          })
        const lines = (text: string) => text.replace(/.{76}/g, '$&\r\n')

        test('has the bytes that it stands for, however it is written', async () => {
          const long = 'bytes é=✓\n'.repeat(30_000)
          const quoted = (text: string) =>
            encodeURIComponent(text)
              .replaceAll('%', '=')
              .replace(/.{60}[^=]{3}/g, '$&=\r\n')
          const cases: [encoding: string, content: string, meant: string][] = [
            ['base64', lines(btoa('hello, world')), 'hello, world'],
            ['BASE64 ', lines(Buffer.from(long).toString('base64')), long],
            ['base64', 'aGVsbG8', 'hello'],
            ['base64', '', ''],
            ['quoted-printable', 'caf=C3=a9 =3D=\r\n x = \t\r\ny\r\nz=', 'café = x y\r\nz'],
            ['Quoted-Printable', quoted(long), long],
            ['7bit', 'aGVsbG8=', 'aGVsbG8='],
          ]
          for (const [encoding, content, meant] of cases) {
            const answer = await echo(related(request('{}'), encoded(encoding, content)))
            assert.equal(answer.status, 200, answer.text)
            assert.equal(answer.text, meant, encoding)
          }
        })

        test('is read so in its first part too', async () => {
          const call = encoded('base64', btoa('{"params":{"text":"t"}}'), 'application/json')
          const { status, body } = await send(related(call, file('filename=a', 'x')), relatedType)
          assert.deepEqual([status, body.value.text], [200, 't'])
        })

        const refused: [encoding: string, content: string, status: number, message: RegExp][] = [
          ['x-uuencode', 'x', 415, /Content-Transfer-Encoding x-uuencode\. Send it as binary, 8bit, 7bit, base64 or/],
          ['base64', 'a?b=', 400, /a part is not in base64/],
          ['base64', 'QQ==QQ==', 400, /a part is not in base64/],
          ['base64', 'aGVsbG8=\r\naGVs', 400, /a part is not in base64/],
          ['base64', 'aGVsb', 400, /a part is not in base64/],
          ['quoted-printable', '=XY', 400, /a part is not in quoted-printable/],
          ['quoted-printable', 'x=4', 400, /a part is not in quoted-printable/],
          ['quoted-printable', `=${' '.repeat(100_000)}\n`, 400, /a part is not in quoted-printable/],
        ]
        for (const [encoding, content, status, message] of refused) {
          test(`is refused where it is not ${encoding}: ${content.slice(0, 20)}`, async () => {
            const answer = await echo(related(request('{}'), encoded(encoding, content)))
            assert.equal(answer.status, status)
            assert.match(answer.text, message)
          })
        }
      })

      const names: [disposition: string | Buffer, name: string][] = [
        ['filename="é ✓.txt"', 'é ✓.txt'],
        [Buffer.from('filename="\xe9t\xe9.txt"', 'latin1'), 'été.txt'],
        ["filename*=UTF-8''caf%C3%A9.txt", 'café.txt'],
        ['filename="x.txt"; filename*=UTF-8\'\'y.txt', 'y.txt'],
      ]
      for (const [disposition, name] of names) {
        test(`names a file ${name} that says ${String(disposition)}`, async () => {
          const mark = 'filename="?"'
          const sent = related(request('{}'), file(mark, '1'), file('filename="z"', '2'))
          const [before = '', after = ''] = sent.split(mark)
          const bytes = Buffer.concat([Buffer.from(before), Buffer.from(disposition as string), Buffer.from(after)])
          const answer = await server.as('Administrator').call('POST', 'api/v1/automation/Specimen.Tell', {
            headers: { 'content-type': relatedType },
            body: bytes,
          })
          assert.deepEqual(answer.body.value.names, [name, 'z'])
        })
      }

      test('is refused with one part, with none, with a broken request, and when it ends in the middle', async () => {
        const only = await send(related(request('{}')), relatedType)
        assert.deepEqual([only.status, only.body.message.split('.')[0]], [400, 'Received only 1 part in a multipart request'])
        assert.equal((await send('--xxx--\r\n', relatedType)).status, 400)
        assert.equal((await send(related(request('{'), file('filename=a', 'x')), relatedType)).status, 400)
        assert.equal((await send(related(request('{}'), file('filename=a', 'x')).slice(0, -12), relatedType)).status, 400)
        assert.equal((await send('x', 'multipart/related')).status, 400)
      })

      test('acceptance 8: an operation gets the bytes, and X-NXVoidOperation gives 204', async () => {
        const form = new FormData()
        form.set('params', new Blob(['{}'], { type: 'application/json' }))
        form.set('input', new Blob(['x']), 'x.txt')
        const answer = await download(server, 'api/v1/automation/Specimen.Echo', {
          method: 'POST',
          body: form,
          headers: { 'X-NXVoidOperation': 'true' },
        })
        assert.equal(answer.status, 204)
      })
    })

    describe('1.1 is the same', () => {
      for (const root of ['api/v1/automation', 'site/automation', 'site/api/v1/automation', 'api/v1/repo/default/automation']) {
        test(`below ${root}`, async () => {
          const sent = { headers: { 'content-type': 'application/json' }, body: '{"input":"x"}' }
          const { status, body } = await server.as('Administrator').call('POST', `${root}/Specimen.Echo`, sent)
          assert.deepEqual([status, body.value], [200, 'x'])
          assert.equal((await server.as('Administrator').call('GET', root)).status, 200)
        })
      }

      test('under an alias, percent-encoded, and with Chain. before it', async () => {
        for (const id of ['Specimen.Repeat', 'Specimen%2EEcho', 'Chain.Specimen.Echo', 'Specimen.Again']) {
          const { body } = await server.as('Administrator').post(`/automation/${id}`, { input: 'x' })
          assert.equal(body.value, 'x', id)
        }
      })

      test('but ids are told apart by their case, and doc and debug are no pages', async () => {
        for (const id of ['specimen.echo', 'Noop', 'doc', 'debug']) {
          const { status, body } = await call(id)
          assert.deepEqual([status, body['entity-type']], [404, 'exception'], id)
          assert.equal((await server.as('Administrator').get(`/automation/${id}`)).status, 404)
        }
      })

      test('acceptance 15: without credentials it is 401 with a challenge, unless the client wants none', async () => {
        const open = (headers: { [name: string]: string }, path = 'site/automation/Specimen.Echo') =>
          fetch(new URL(path, server.url), {
            method: 'POST',
            redirect: 'manual',
            headers: { 'content-type': 'application/json', ...headers },
            body: '{}',
          })
        const refused = await open({ accept: 'text/html' })
        assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Basic realm="Platform Automation"'])
        const wrong = await open({ authorization: `Basic ${Buffer.from('Administrator:wrong').toString('base64')}` })
        assert.equal(wrong.status, 401)
        for (const silencer of ['X-Authentication-Token', 'X-No-Basic-Header', 'Cookie']) {
          const quiet = await open({ [silencer]: 'a=b' })
          assert.deepEqual([quiet.status, quiet.headers.get('www-authenticate')], [401, null], silencer)
        }
        assert.equal((await open({ authorization: basic('Administrator') })).status, 204)
      })

      test('acceptance 15: who may not read a document is refused with 403', async () => {
        await server.addUser('outsider')
        const { uid } = await bench.create('Note', {})
        await bench.restrict(uid, grant('Administrator', 'Everything'))
        const { status, body } = await operationsOn(server, 'outsider')('Document.Fetch', { params: { value: uid } })
        assert.equal(status, 403)
        assert.match(body.message, /^Failed to invoke operation: Document\.Fetch, /)
      })
    })

    describe('1.2 headers', () => {
      test('choose the repository, in their order', async () => {
        const unknown = await call('Specimen.Tell', {}, { 'X-NXRepository': 'nowhere' })
        assert.equal(unknown.status, 404)
        const named = await call('Specimen.Tell', {}, { 'X-NXRepository': 'default' })
        assert.equal(named.body.value.repository, 'default')
        const byQuery = await server.as('Administrator').post('/automation/Specimen.Tell?nxrepository=nowhere', {})
        assert.equal(byQuery.status, 404)
      })

      test('limit the time of the transaction, and what is no number is ignored', async () => {
        const { status } = await call('Specimen.Tell', {}, { 'Platform-Transaction-Timeout': 'soon' })
        assert.equal(status, 200)
      })
    })
  },
  { plugins: [specimenOperations] },
)
