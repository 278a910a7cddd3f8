import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { groupMembers } from '../../src/core/directories/people.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { type Ace, type Acl, deny, grant } from '../../src/model/rights/acl.ts'
import { listedChildren } from '../support/listed-children.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const local = (...aces: readonly Ace[]): Acl => ({ name: 'local', aces })
const block = deny('Everyone', 'Everything')
const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z']

onEachServer(
  '11.5 read filtering of queries',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('bob', ['members']))

    /** A folder that bob can read, with children whose rights are theirs alone. */
    const createWith = async (...acls: readonly (readonly Acl[])[]) => {
      const folder = await bench.create('Folder')
      const children: Answered[] = []
      for (const one of acls) {
        const child = await bench.create('Folder', {}, { parent: folder.path })
        await bench.setAcls(child.uid, one)
        children.push(child)
      }
      return { folder, children }
    }
    const list = async (uid: string, user = 'bob', parameters = '') =>
      requireStatus(200, await server.as(user).get(`/id/${uid}/@children${parameters}`))
    const shown = async (uid: string, user = 'bob') => (await list(uid, user)).entries.map((entry: Answered) => entry.uid)
    const isShown = async (aces: readonly Ace[]) => {
      const { folder, children } = await createWith([local(...aces)])
      return (await shown(folder.uid)).includes(children[0].uid)
    }

    describe('a child is shown', () => {
      for (const permission of [
        'Browse',
        'ReadProperties',
        'Read',
        'ReadWrite',
        'ReadRemove',
        'ReadCanCollect',
        'DataVisualization',
        'Everything',
      ]) {
        test(`with a permission that grants Browse: ${permission}`, async () => {
          assert.equal(await isShown([grant('bob', permission), block]), true)
        })
      }
      for (const permission of ['Write', 'ReadChildren', 'WriteSecurity', 'Version', 'Fly']) {
        test(`not with one that does not: ${permission}`, async () =>
          assert.equal(await isShown([grant('bob', permission), block]), false))
      }
      for (const name of ['bob', 'members', 'Everyone']) {
        test(`to the user, its groups and everyone: ${name}`, async () =>
          assert.equal(await isShown([grant(name, 'Browse'), block]), true))
      }
      test('to whom the entry does not name: not at all', async () => {
        assert.equal(await isShown([grant('carol', 'Read'), block]), false)
      })
      const rows: readonly [sentence: string, aces: readonly Ace[], expected: boolean][] = [
        ['a denial of Write before a grant does not stop the walk', [deny('bob', 'Write'), grant('bob', 'Read'), block], true],
        ['a denial to somebody else does not stop it', [deny('carol', 'Everything'), grant('bob', 'Read'), block], true],
        ['a denial of Write leaves what is inherited', [deny('Everyone', 'Write')], true],
        ['a denial of Browse hides what is inherited', [deny('bob', 'Browse')], false],
        ['a denial of a permission that contains Browse hides it', [deny('members', 'Read')], false],
        ['the first of two decides', [grant('bob', 'Browse'), deny('bob', 'Browse')], true],
        ['a grant yet to come does not count', [grant('bob', 'Read', { begin: future }), block], false],
        ['a grant of now does', [grant('bob', 'Read', { begin: past, end: future }), block], true],
        ['a grant of the past does not', [grant('bob', 'Read', { end: past }), block], false],
        ['a denial of the past does not', [deny('bob', 'Browse', { end: past })], true],
        ['a block of now hides what is inherited', [deny('Everyone', 'Everything', { end: future })], false],
        ['a block of the past does not', [deny('Everyone', 'Everything', { end: past })], true],
      ]
      for (const [sentence, aces, expected] of rows) {
        test(`as a check of Browse answers: ${sentence}`, async () => assert.equal(await isShown(aces), expected))
      }
      test('to administrators in any case', async () => {
        const { folder, children } = await createWith([local(block)])
        assert.deepEqual(await shown(folder.uid, 'Administrator'), [children[0].uid])
      })
    })

    test('counts and pages are of what is shown', async () => {
      const open = [local(grant('bob', 'Browse'))]
      const { folder, children } = await createWith(open, [local(block)], open, [local(block)], open)
      const whole = await list(folder.uid, 'bob', '?pageSize=3')
      assert.deepEqual([whole.resultsCount, whole.numberOfPages, whole.isNextPageAvailable], [3, 1, false])
      const page = await list(folder.uid, 'bob', '?pageSize=2')
      assert.deepEqual([page.resultsCount, page.isNextPageAvailable, page.currentPageSize], [-2, true, 2])
      const last = await list(folder.uid, 'bob', '?pageSize=2&currentPageIndex=1')
      assert.equal(page.entries.length + last.entries.length, 3)
      assert.equal((await list(folder.uid, 'Administrator')).resultsCount, children.length)
    })
    test('whether there is any child tells only of what is shown', async () => {
      const { folder, children } = await createWith([local(block)])
      const headers = { 'enrichers-document': 'hasContent,hasFolderishChild' }
      const look = async () => (await server.as('bob').get(`/id/${folder.uid}`, headers)).body.contextParameters
      assert.deepEqual(await look(), { hasContent: false, hasFolderishChild: false })
      await bench.setAcls(children[0].uid, [local(grant('bob', 'Browse'), block)])
      assert.deepEqual(await look(), { hasContent: true, hasFolderishChild: true })
    })
    test('Browse without Read still yields a full entry, though not the document itself', async () => {
      const { folder, children } = await createWith([local(grant('bob', 'Browse'), block)])
      const [{ uid, title, properties }] = (
        requireStatus(200, await server.as('bob').get(`/id/${folder.uid}/@children`, { properties: 'dublincore' })) as Answered
      ).entries
      assert.deepEqual([uid, title], [children[0].uid, children[0].title])
      assert.ok('dc:creator' in properties)
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 403)
    })
    test('11.2 the children enricher needs ReadChildren on the folder and shows children with Read', async () => {
      const { folder, children } = await createWith([local(grant('bob', 'Browse'), block)], [local(grant('bob', 'Read'), block)])
      const listed = async () => {
        const { body } = await server.as('bob').get(`/id/${folder.uid}`, { 'enrichers-document': 'children' })
        return body.contextParameters.children.entries.map((entry: Answered) => entry.uid)
      }
      assert.deepEqual(await listed(), [children[1].uid])
      await bench.setAcls(folder.uid, [local(deny('bob', 'ReadChildren'))])
      assert.deepEqual(await listed(), [])
    })

    describe('what is shown follows', () => {
      test('a change of rights anywhere above, for everything below', async () => {
        const { folder, children } = await createWith([])
        const grandchild = await bench.create('File', {}, { parent: children[0].path })
        for (const [acls, expected] of [
          [[local(block)], []],
          [[local(grant('bob', 'Browse'), block)], [grandchild.uid]],
          [[], [grandchild.uid]],
        ] as const) {
          await bench.setAcls(folder.uid, acls)
          // Over the API bob gets no list of a folder that he cannot read.
          const found = await server.inSession('bob', (session) => listedChildren(session, children[0].uid))
          assert.deepEqual(found, expected)
        }
      })
      test('a move, for everything that is moved', async () => {
        const [open, closed] = [await bench.create('Folder'), await bench.create('Folder')]
        await bench.setAcls(closed.uid, [local(grant('bob', 'Read'), block)])
        const file = await bench.create('File', {}, { parent: open.path })
        await bench.setAcls(open.uid, [local(grant('bob', 'Read'))])
        const secret = await bench.create('Folder')
        await bench.setAcls(secret.uid, [local(block)])
        const moveTo = (uid: string) =>
          server.inSession('Administrator', (session) => moveDocument(session, file.uid, { parentId: uid }))
        assert.deepEqual(await shown(open.uid), [file.uid])
        await moveTo(closed.uid)
        assert.deepEqual([await shown(open.uid), await shown(closed.uid)], [[], [file.uid]])
        await moveTo(secret.uid)
        assert.deepEqual(await shown(closed.uid), [])
        await bench.setAcls(secret.uid, [local(grant('bob', 'Read'))])
        assert.deepEqual(await shown(secret.uid), [file.uid])
      })
      test('a copy, which has the rights of its new place and keeps its own', async () => {
        const target = await bench.create('Folder')
        const hidden = await bench.create('File')
        await bench.setAcls(hidden.uid, [local(block)])
        const plain = await bench.create('File')
        const copies = await server.inSession('Administrator', async (session) => [
          await copyDocument(session, hidden.uid, { parentId: target.uid }),
          await copyDocument(session, plain.uid, { parentId: target.uid }),
        ])
        assert.deepEqual(await shown(target.uid), [copies[1]?.id])
      })
      test('the groups that the user is in now', async () => {
        const { folder, children } = await createWith([local(grant('powerusers', 'Read'), block)])
        const { store } = server.services.directories
        for (const members of [['bob'], []]) {
          await store.transact(({ directories }) => directories.replaceTargets(groupMembers, 'powerusers', members))
          assert.deepEqual(await shown(folder.uid), members.length === 0 ? [] : [children[0].uid])
        }
      })
      test('for a proxy its own place, whatever it shows', async () => {
        const folder = await bench.create('Folder')
        const secret = await bench.create('File')
        await bench.setAcls(secret.uid, [local(block)])
        const proxy = await server.inSession('Administrator', (session) => createProxy(session, secret.uid, folder.uid))
        assert.deepEqual(await shown(folder.uid), [proxy.id])
        await bench.setAcls(proxy.id, [local(block)])
        assert.deepEqual(await shown(folder.uid), [])
      })
    })
  },
  { settings: { securityAllowNegativeAcl: true } },
)
