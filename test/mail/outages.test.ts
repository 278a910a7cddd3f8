import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import type { LogFields } from '../../src/base/log.ts'
import { groupMembers, userDirectory } from '../../src/core/directories/people.ts'
import { readDirectory } from '../../src/core/directories/read-directory.ts'
import { storedEntry } from '../../src/core/directories/stored-entry.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { mailPrincipals } from '../../src/features/mail/index.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { Store } from '../../src/store/store.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { createRandom } from '../faults/kill/random.ts'
import { untilIdle } from '../support/background.ts'
import { databaseSettings } from '../support/database-settings.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { type MailServer, mailTo, startMailServer } from '../support/mail-server.ts'
import { operationsOn } from '../support/operations.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { killWhileSending } from './kill/kill-while-sending.ts'
import { addReader } from './readers.ts'

const repositoryOf = (server: TestServer) => {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  return repository
}

const receiverOf = (payload: Job['payload']) => (payload as unknown as { receiver: { user: string } }).receiver.user

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const patience = AbortSignal.timeout(60_000); !(await condition()); await wait(20)) assert.ok(!patience.aborted)
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`mail in bad times (${engine})`, () => {
    let mail: MailServer
    let server: TestServer
    before(async () => {
      mail = await startMailServer()
      const mailSettings = { smtpUrl: mail.url, mailFrom: 'quire@example.org', notificationDigest: '0s' }
      server = await startTestServer({ settings: { ...(await databaseSettings(engine)), ...mailSettings } })
      await addReader(server, 'ann')
    })
    after(async () => {
      await server?.stop()
      await mail?.stop()
    })
    const mails = (): Promise<readonly Job[]> => repositoryOf(server).store.reader.jobs.list({ kind: 'deliverMail' }, 10)

    test('arrives when the other server comes back after an hour, once', async () => {
      const repository = repositoryOf(server) as { now: () => string }
      const { now } = repository
      await mail.down()
      await server.asSystem((session) => mailPrincipals(session, { template: 'emailDocument', to: ['user:ann'] }))
      const attempts = async () => (await mails())[0]
      await until(async () => (await attempts())?.state === 'waiting' && ((await attempts())?.attempts ?? 0) === 1)
      const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
      repository.now = () => later(0.5)
      await until(async () => (await attempts())?.state === 'waiting' && ((await attempts())?.attempts ?? 0) === 2)
      assert.match((await attempts())?.error ?? '', /ECONNREFUSED|connect|closed/i)
      await mail.up()
      repository.now = () => later(1)
      await mailTo(mail, 'ann@example.org')
      await until(async () => (await mails()).length === 0)
      repository.now = now
      assert.equal(mail.received.length, 1)
    })

    test('goes to a hundred subscribers, at the cost of one row to the user who caused it', async () => {
      mail.clear()
      const many = 100
      const names = await addReaders('reader', many)
      const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Popular' })
      requireStatus(
        200,
        await operationsOn(server, 'ann')('Document.Subscribe', { input: uid, params: { notifications: 'Modification' } }),
      )
      const subscribers = names.map((name) => `user:${name}`)
      await server.asSystem((session) =>
        saveDocument(session, uid, { 'notif:notifications': [{ name: 'Modification', subscribers }] }, { notifications: false }),
      )
      await server.inSession('Administrator', async (session) => {
        await saveDocument(session, uid, { 'dc:title': 'Very popular' })
        const kinds = (await session.tx.jobs.list({}, 100)).map(({ kind }) => kind)
        assert.deepEqual(
          kinds.filter((kind) => /mail|notify/i.test(kind)),
          ['notifySubscribers'],
        )
      })
      await until(async () => mail.received.length >= many)
      await untilIdle(server)
      assert.equal(new Set(mail.received.flatMap(({ to }) => to)).size, many)
      assert.equal(mail.received.length, many)
    })

    // More than are ordered in one transaction.
    const tooManyAtOnce = 205
    for (const kind of ['notifySubscribers', 'addressMail']) {
      test(`is ordered once for each, also where ${kind} was cut off after the first of many`, async () => {
        mail.clear()
        await mail.down()
        const readers = await addReaders(kind.toLowerCase(), tooManyAtOnce)
        const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'Popular' })
        const toModifications = { input: uid, params: { notifications: 'Modification' } }
        requireStatus(200, await operationsOn(server, 'ann')('Document.Subscribe', toModifications))
        const subscribed = [{ name: 'Modification', subscribers: readers.map((name) => `user:${name}`) }]
        await server.asSystem((session) =>
          saveDocument(session, uid, { 'notif:notifications': subscribed }, { notifications: false }),
        )
        const restore = cutOffAfterMailsWereOrdered()
        if (kind === 'addressMail')
          await server.asSystem((session) =>
            mailPrincipals(session, { template: 'emailDocument', to: readers, document: { id: uid } }),
          )
        else await workbenchOn(server).update(uid, { 'dc:title': 'Very popular' })
        const { jobs } = repositoryOf(server).store.reader
        await until(async () => (await jobs.count({ kind: 'deliverMail' })) > 0 && (await jobs.count({ kind })) === 0)
        assert.ok(restore(), 'it was cut off')
        const ordered = await jobs.list({ kind: 'deliverMail' }, 1_000)
        assert.deepEqual(ordered.map(({ payload }) => receiverOf(payload)).toSorted(), readers.toSorted())
        await mail.up()
        await until(async () => (await jobs.count({ kind: 'deliverMail' })) === 0)
        assert.deepEqual(mail.received.map(({ to }) => to[0]).toSorted(), readers.map((name) => `${name}@example.org`).toSorted())
      })
    }

    /** As where the process dies once a transaction with mails is committed. Gives what puts it back, and tells whether it has happened. */
    function cutOffAfterMailsWereOrdered(): () => boolean {
      const repository = repositoryOf(server) as { store: Store }
      const { store } = repository
      let isCut = false
      const count = () => store.reader.jobs.count({ kind: 'deliverMail' })
      repository.store = {
        ...store,
        async transact(body, options) {
          const before = await count()
          const result = await store.transact(body, options)
          if (isCut || (await count()) <= before) return result
          isCut = true
          throw new Error('cut off')
        },
      }
      return () => {
        repository.store = store
        return isCut
      }
    }

    /** Straight into the directory: a request each would take long. */
    async function addReaders(prefix: string, count: number): Promise<readonly string[]> {
      const definition = readDirectory({ repository: repositoryOf(server) }, userDirectory)
      const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
      await server.services.directories.store.transact(async (tx) => {
        for (const username of names) {
          const values = { username, email: `${username}@example.org` }
          await tx.directories.insert(userDirectory, storedEntry(definition, { id: username, values }))
          await tx.directories.addTarget(groupMembers, 'members', username)
        }
      })
      return names
    }
  })

  describe(`mail without a server to hand it to (${engine})`, () => {
    let server: TestServer
    let folder = ''
    const lines: LogFields[] = []
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-mail-'))
      await writeFile(join(folder, 'emailDocument.en.txt'), 'Subject: Ours: {{title}}\n\nHello {{receiver}}!\n')
      const note = (fields: LogFields) => void lines.push(fields)
      const log = { debug() {}, info: note, warn: note, error: note }
      const settings = {
        mailFolder: join(folder, 'out'),
        mailTemplates: folder,
        notificationDigest: '1h',
        commentAutoSubscribe: false,
      }
      server = await startTestServer({ settings: { ...(await databaseSettings(engine)), ...settings }, log })
      await addReader(server, 'ann')
      await addReader(server, 'bob')
    })
    after(async () => {
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const files = async () => {
      const names = await readdir(join(folder, 'out')).catch(() => [])
      return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, 'out', name)))))
    }

    test('has links that are understood again when the database is', async () => {
      const directories = server.services.directories as { store: Store }
      const { store } = directories
      const open = async () => (await fetch(new URL('site/notifications/unsubscribe?token=made.up', server.url))).status
      directories.store = { ...store, transact: () => Promise.reject(new Error('the database is away')) }
      try {
        assert.equal(await open(), 500)
      } finally {
        directories.store = store
      }
      assert.equal(await open(), 404)
    })

    test('becomes files, made from the templates of the deployment, and the log says so once', async () => {
      const { uid: id } = await workbenchOn(server).create('File', { 'dc:title': 'Ä' })
      for (const user of ['ann', 'bob']) {
        await server.asSystem((session) => mailPrincipals(session, { template: 'emailDocument', to: [user], document: { id } }))
      }
      await untilIdle(server)
      const mails = await files()
      assert.deepEqual(mails.map(({ to, subject }) => [to?.[0]?.address, subject]).sort(), [
        ['ann@example.org', 'Ours: Ä'],
        ['bob@example.org', 'Ours: Ä'],
      ])
      assert.match(mails[0]?.html ?? '', /sends you <strong>Ä<\/strong>/)
      assert.equal(lines.filter(({ event }) => event === 'mail.toFolder').length, 1)
    })

    test('subscribes nobody who comments, where it is told not to', async () => {
      const { uid } = await workbenchOn(server).create('File', { 'dc:title': 'quiet' })
      requireStatus(201, await server.as('ann').post(`/id/${uid}/@comment`, { 'entity-type': 'comment', text: 'Hm' }))
      assert.ok(!(await workbenchOn(server).read(uid)).facets.includes('Notifiable'))
    })

    test('tells in one digest what happened in an hour, of what may be read', async () => {
      const bench = workbenchOn(server)
      const { uid, path } = await bench.create('Workspace', { 'dc:title': 'Desk' })
      const params = { notifications: 'Creation,Modification' }
      requireStatus(200, await operationsOn(server, 'ann')('Document.Subscribe', { input: uid, params }))
      const one = await bench.create('File', { 'dc:title': 'one' }, { parent: path })
      const secret = await bench.create('File', { 'dc:title': 'secret' }, { parent: path })
      for (const title of ['two', 'three']) await bench.update(one.uid, { 'dc:title': title })
      await bench.restrict(secret.uid)
      await untilIdle(server)
      const before = (await files()).length
      const { store } = repositoryOf(server)
      const repository = repositoryOf(server) as { now: () => string }
      const { now } = repository
      await store.transact((tx) => tx.jobs.add('sendDigests', {}))
      await untilIdle(server)
      assert.equal((await files()).length, before, 'not before an hour is over')
      repository.now = () => new Date(Date.now() + 3_700_000).toISOString()
      await store.transact((tx) => tx.jobs.add('sendDigests', {}))
      await untilIdle(server)
      repository.now = now
      const digest = (await files()).find(({ subject }) => subject?.includes('What happened'))
      assert.deepEqual([digest?.to?.[0]?.address, digest?.subject], ['ann@example.org', '[Platform] What happened: 2'])
      const { text = '' } = digest ?? {}
      assert.match(text, /three: created[\s\S]*three: modified/)
      assert.ok(!text.includes('secret'), text)
      assert.equal((await files()).length, before + 1)
    })
  })
}

describe('a server that is told how to send mail', () => {
  const refusals: [what: string, settings: object, message: RegExp][] = [
    ['a server without a sender', { smtpUrl: 'smtp://127.0.0.1:1' }, /mail-from/],
    ['a password in the address', { smtpUrl: 'smtp://a:b@127.0.0.1:1', mailFrom: 'a@b.org' }, /QUIRE_SMTP_PASSWORD/],
    ['a user without a password', { smtpUrl: 'smtp://a@127.0.0.1:1', mailFrom: 'a@b.org' }, /belong together/],
    ['a sender that is none', { mailFrom: 'me' }, /mail/i],
    ['a folder of templates that is none', { mailTemplates: '/nowhere/at/all' }, /cannot be read as a folder/],
  ]
  for (const [what, settings, message] of refusals) {
    test(`does not start with ${what}`, async () => {
      await assert.rejects(
        startTestServer({ settings: { ...settings } }).then((server) => server.stop()),
        message,
      )
    })
  }
})

describe('a server that is killed while it sends mail', () => {
  test('has all of it sent by the next, at least once', async () => {
    const { broken, receivedBefore, receivers } = await killWhileSending(await filledPlace('sqlite'), createRandom(1), 12)
    assert.deepEqual(broken, [])
    assert.ok(receivedBefore < receivers, 'some were left')
  })
})
