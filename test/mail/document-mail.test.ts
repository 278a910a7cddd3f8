import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
import { operationsOn } from '../support/operations.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { addReader } from './readers.ts'

const mailing = definePlugin({
  name: 'mailing',
  chains: [
    defineChain({
      id: 'mailAnn',
      steps: [
        {
          operation: 'Document.Mail',
          params: { from: 'desk@example.org', to: 'user:ann', subject: 'From a chain', message: 'Look' },
        },
      ],
    }),
  ],
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Document.Mail (${engine})`, () => {
    let mail: MailServer
    let server: TestServer
    const refused = new Map([['never@example.org', { code: 550, message: 'No such mailbox' }]])
    before(async () => {
      mail = await startMailServer({ refuse: (address) => refused.get(address) })
      const mailSettings = { smtpUrl: mail.url, mailFrom: 'quire@example.org', mailMaxRecipients: 5, mailMaxBytes: '20 KiB' }
      server = await startTestServer({ settings: { ...(await databaseSettings(engine)), ...mailSettings }, plugins: [mailing] })
      await addReader(server, 'ann', { firstName: 'Änn' })
      await addReader(server, 'bob')
      await server.addUser('silent', ['members'])
      const group = { 'entity-type': 'group', groupname: 'staff', memberUsers: ['ann', 'bob', 'silent'] }
      requireStatus(201, await server.as('Administrator').post('/group', group))
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })
    const usual = { from: 'Desk <desk@example.org>', subject: 'Hello', message: 'Some text' }
    const send = async (params: object, { user = 'Administrator', uid = '', operation = 'Document.Mail' } = {}) => {
      const input = `doc:${uid || (await workbenchOn(server).create('Note', { 'dc:title': 'A note', 'note:note': 'ñote' })).uid}`
      return operationsOn(server, user)(operation, { input, params: { ...usual, ...params } })
    }

    test('sends to addresses, users and members of groups, and gives the document', async () => {
      mail.clear()
      const params = {
        to: 'user:ann, Zoé <zoe@example.org>',
        cc: 'group:staff',
        bcc: 'hidden@example.org',
        replyto: 'r@example.org',
      }
      const answer = requireStatus(200, await send({ ...params, subject: `Ça va\r\nBcc: x@y.org ${'é'.repeat(300)}` }))
      assert.equal(answer.type, 'Note')
      const { parsed, to, raw, from } = await mailTo(mail, 'zoe@example.org')
      assert.deepEqual(to.toSorted(), ['ann@example.org', 'bob@example.org', 'hidden@example.org', 'zoe@example.org'])
      assert.deepEqual(
        [from, parsed.from?.address, parsed.sender?.address],
        ['quire@example.org', 'desk@example.org', 'quire@example.org'],
      )
      assert.deepEqual(
        [parsed.to?.map(({ name }) => name), parsed.cc?.map(({ address }) => address), parsed.replyTo?.[0]?.address],
        [['Änn', 'Zoé'], ['ann@example.org', 'bob@example.org'], 'r@example.org'],
      )
      assert.equal(parsed.subject, `Ça va Bcc: x@y.org ${'é'.repeat(300)}`)
      assert.ok(!raw.includes('hidden@example.org'))
      assert.deepEqual([parsed.text?.trim(), parsed.html], ['Some text', undefined])
    })

    test('sends HTML, files of the document, and what a template makes', async () => {
      mail.clear()
      const { uid } = await workbenchOn(server).create('Note', { 'dc:title': 'Été <b>', 'note:note': 'ñote' })
      requireStatus(200, await send({ to: 'a@example.org', HTML: true, message: '<p>Hé</p>', files: 'note:note' }, { uid }))
      const { parsed } = await mailTo(mail, 'a@example.org')
      assert.equal(parsed.html?.trim(), '<p>Hé</p>')
      const [file] = parsed.attachments
      const content = Buffer.from(file?.content as ArrayBuffer).toString()
      assert.deepEqual([file?.filename, file?.mimeType, content], ['Été <b>.txt', 'text/plain', 'ñote'])
      requireStatus(200, await send({ to: 'b@example.org', HTML: true, message: 'template:modification' }, { uid }))
      const made = await mailTo(mail, 'b@example.org')
      assert.match(made.parsed.html ?? '', /Été &lt;b&gt;/)
    })

    test('is called by its other name, too, and takes bare names when it is not strict', async () => {
      mail.clear()
      const params = { to: 'bob', 'Strict User Resolution': false }
      requireStatus(200, await send(params, { operation: 'Notification.SendMail' }))
      await mailTo(mail, 'bob@example.org')
    })

    const refusals: [what: string, params: object, status: number, message: RegExp][] = [
      ['nobody', {}, 400, /for nobody/],
      ['a bare name when it is strict', { to: 'bob' }, 400, /to: bob is no address/],
      ['an unknown user', { to: 'user:nobody' }, 400, /neither an address nor a user/],
      ['a user without an address', { to: 'user:silent' }, 400, /has no address/],
      ['a line break in an address', { to: ['a@example.org\r\nBcc: b@example.org'] }, 400, /is no address/],
      ['two addresses in one', { to: ['a@example.org;b@example.org'] }, 400, /is no address/],
      ['a sender that is none', { to: 'a@example.org', from: 'me' }, 400, /from: me/],
      ['more than a few', { to: [1, 2, 3, 4, 5, 6].map((n) => `${n}@example.org`) }, 400, /more than 5 recipients/],
      ['a large text', { to: 'a@example.org', message: 'x'.repeat(30_000) }, 413, /larger than 20480 bytes/],
      ['an unknown place of a file', { to: 'a@example.org', files: 'nothing:here' }, 400, /nothing/],
      ['an unknown template', { to: 'a@example.org', message: 'template:../../etc/passwd' }, 400, /no mail template/],
    ]
    for (const [what, params, status, message] of refusals) {
      test(`refuses ${what}`, async () => {
        mail.clear()
        const answer = await send(params)
        assert.equal(answer.status, status, answer.text)
        assert.match(answer.body.message, message)
        assert.equal((await send({ ...params, rollbackOnError: false })).status, 200)
        await untilIdle(server)
        assert.deepEqual(mail.received, [])
      })
    }

    test('is for administrators, and for chains of the deployment', async () => {
      mail.clear()
      const { status } = await send({ to: 'a@example.org' }, { user: 'ann', uid: (await workbenchOn(server).create('File')).uid })
      assert.ok([403, 404].includes(status), String(status))
      const { uid } = await workbenchOn(server).create('File')
      requireStatus(200, await operationsOn(server, 'bob')('mailAnn', { input: `doc:${uid}` }))
      assert.equal((await mailTo(mail, 'ann@example.org')).parsed.subject, 'From a chain')
      await untilIdle(server)
      assert.equal(mail.received.length, 1)
    })

    describe('a mail that cannot be delivered', () => {
      const letters = async (user = 'Administrator') => server.as(user).get('/management/mail/dead-letters')
      const path = ({ repository, id }: { repository: string; id: string }) => `/management/mail/dead-letters/${repository}/${id}`

      test('is listed for administrators, sent anew when asked, or forgotten', async () => {
        mail.clear()
        for (const subject of ['one', 'two']) requireStatus(200, await send({ to: 'never@example.org', subject }))
        await untilIdle(server)
        const { total, entries } = requireStatus(200, await letters())
        assert.equal(total, 2)
        const { id, error, ...first } = entries[0]
        assert.match(error, /550/)
        assert.deepEqual(first, {
          repository: 'default',
          template: null,
          to: ['never@example.org'],
          subject: 'one',
          documentId: null,
          actor: 'Administrator',
          attempts: 1,
        })
        const shown = requireStatus(200, await server.as('Administrator').get('/management/mail/dead-letters?pageSize=1'))
        assert.equal(shown.entries.length, 1)
        requireStatus(204, await server.as('Administrator').delete(path(entries[1])))
        requireStatus(404, await server.as('Administrator').delete(path(entries[1])))
        refused.clear()
        requireStatus(204, await server.as('Administrator').post(`${path({ ...first, id })}/resend`))
        assert.equal((await mailTo(mail, 'never@example.org')).parsed.subject, 'one')
        requireStatus(404, await server.as('Administrator').post(`${path({ ...first, id })}/resend`))
        await untilIdle(server)
        assert.equal(requireStatus(200, await letters()).total, 0)
      })

      test('is nothing for others', async () => {
        assert.equal((await letters('ann')).status, 403)
        const address = path({ repository: 'default', id: '1' })
        assert.equal((await server.as('ann').post(`${address}/resend`)).status, 403)
        assert.equal((await server.as('ann').delete(address)).status, 403)
        for (const wrong of ['x', '1e3', '-1', '99999999999999999999'])
          assert.equal((await server.as('Administrator').delete(path({ repository: 'default', id: wrong }))).status, 404)
        assert.equal((await server.as('Administrator').delete(path({ repository: 'none', id: '1' }))).status, 404)
      })
    })
  })
}
