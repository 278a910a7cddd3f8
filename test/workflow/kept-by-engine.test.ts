import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isJsonObject } from '../../src/base/json.ts'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { findEscalations } from '../../src/features/workflow/escalation.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { bulkOn } from '../support/bulk.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const reserved = /The facet \w+ changes what the server does.*Only administrators/
const doors = /Workflows and tasks are neither made nor changed.*\/workflow.*\/task/

onEachServer('what the engine keeps', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const bulk = bulkOn(server)
  const as = (user: string) => server.as(user)
  const call = (operation: string, input: string | undefined, params: object, user: string) =>
    as(user).post(`/automation/${operation}`, { ...(input && { input }), params })
  const put = (user: string, address: string, properties: object) =>
    as(user).put(address, { 'entity-type': 'document', properties })
  const post = (user: string, path: string, type: string, name: string, more: object = {}) =>
    as(user).post(`/path${path}`, { 'entity-type': 'document', type, name, ...more })
  let home: Answered
  before(async () => {
    for (const user of ['alice', 'bob', 'eve']) await server.addUser(user, ['members'])
    await server.addUser('manager', ['members', 'routeManagers'])
    home = await bench.create('Workspace')
    await bench.restrict(home.uid, grant('eve', 'Everything'))
  })

  /** A review that alice began, which bob is asked for, and a document that neither of them may read. */
  async function reviewed() {
    const [file, secret] = [await bench.create('File'), await bench.create('File')]
    await bench.restrict(file.uid, grant('alice', 'ReadWrite'))
    await bench.restrict(secret.uid)
    const { id } = await flows.start(file.uid, serial, 'alice')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:bob'] }, 'alice')
    const { path } = await bench.read(id)
    return { file, secret, id, path, node: await bench.read(await idAt(`${path}/Task6d8`)), task: await flows.task(id) }
  }
  const idAt = async (path: string): Promise<string> => requireStatus(200, await as('Administrator').get(`/path${path}`)).uid

  describe('is changed by the doors of workflows alone', () => {
    test('whoever takes part reads instance, nodes and task, and is refused to write them, by id and by path', async () => {
      const { secret, file, id, path, node, task } = await reviewed()
      const writes: readonly [user: string, address: string, properties: object][] = [
        ['alice', `/id/${id}`, { 'docri:participatingDocuments': [secret.uid] }],
        ['bob', `/id/${id}`, { 'docri:initiator': 'bob' }],
        ['bob', `/path${path}`, { 'docri:initiator': 'bob' }],
        ['bob', `/id/${node.uid}`, { 'rnode:taskAssigneesPermission': 'Everything' }],
        ['bob', `/path${path}/Task6d8`, { 'rnode:taskAssigneesPermission': 'Everything' }],
        ['bob', `/id/${task.id}`, { 'nt:taskComments': [{ author: 'alice', text: 'approve it' }] }],
        ['bob', `/id/${task.id}`, { 'dc:title': 'another' }],
      ]
      for (const [user, address, properties] of writes) {
        requireStatus(200, await as(user).get(address))
        assertRefused(await put(user, address, properties), 403, doors)
      }
      // To who may not even read it nothing is said of what it is.
      assertRefused(await put('eve', `/id/${task.id}`, {}), 403, /^Privilege/)
      requireStatus(200, await put('Administrator', `/id/${node.uid}`, { 'dc:description': 'mended' }))
      await flows.complete(task.id, 'validate', {}, 'bob')
      assert.equal((await bench.read(file.uid)).state, 'approved')
      assert.equal((await as('bob').get(`/id/${secret.uid}`)).status, 403)
    })

    const changes: readonly [operation: string, params: object][] = [
      ['Document.Delete', {}],
      ['Document.Trash', {}],
      ['Document.Lock', {}],
      ['Document.SetProperty', { xpath: 'dc:title', value: 'x' }],
      ['Document.AddFacet', { facet: 'Folderish' }],
      ['Document.AddPermission', { users: ['eve'], permission: 'Everything' }],
      ['Document.AddACE', { user: 'eve', permission: 'Everything', grant: true }],
      ['Document.BlockPermissionInheritance', {}],
    ]
    for (const [operation, params] of changes)
      test(`${operation} is refused to who takes part`, async () => {
        const { id, node, task } = await reviewed()
        for (const uid of [id, node.uid, task.id]) {
          const refused = await call(operation, uid, params, 'bob')
          assert.equal(refused.status, 403, refused.text)
        }
        assert.equal((await flows.complete(task.id, 'validate', {}, 'bob')).state, 'ended')
      })

    test('no transition is followed past the engine', async () => {
      const { file, id, node, task } = await reviewed()
      for (const [user, uid, value] of [
        ['alice', id, 'toDraft'],
        ['alice', id, 'toDone'],
        ['bob', node.uid, 'toReady'],
        ['bob', task.id, 'end'],
        ['bob', task.id, 'cancel'],
      ] as const)
        assertRefused(await call('Document.FollowLifecycleTransition', uid, { value }, user), 403, doors)
      const { entries } = requireStatus(200, await as('alice').get('/workflowModel'))
      assert.deepEqual(entries.map(({ name }: Answered) => name).sort(), ['ParallelDocumentReview', serial])
      await flows.complete(task.id, 'validate', {}, 'bob')
      assert.equal((await put('bob', `/id/${file.uid}`, { 'dc:title': 'mine' })).status, 403)
    })

    test('nothing is put below it, nor taken, copied or shown elsewhere', async () => {
      const { id, path, node, task } = await reviewed()
      await bench.setAcls(home.uid, [{ name: 'local', aces: [grant('bob', 'Everything'), grant('manager', 'Everything')] }])
      assertRefused(await post('alice', path, 'RouteNode', 'another'), 403, /./)
      assertRefused(await post('bob', path, 'RouteNode', 'another'), 403, doors)
      for (const uid of [id, node.uid, task.id])
        for (const [operation, params] of [
          ['Document.Move', { target: home.path }],
          ['Document.Copy', { target: home.path }],
        ] as const) {
          const refused = await call(operation, uid, params, 'bob')
          assert.equal(refused.status, 403, `${operation} ${refused.text}`)
        }
      for (const uid of [id, node.uid, task.id])
        await assert.rejects(
          server.inSession('bob', (session) => createProxy(session, uid, home.uid)),
          /Privilege 'Write'/,
        )
      const day = path.slice(0, path.lastIndexOf('/'))
      for (const folder of ['/document-route-instances-root', day]) {
        requireStatus(200, await as('manager').get(`/path${folder}`))
        assertRefused(await call('Document.Copy', folder, { target: home.path }, 'manager'), 403, doors)
        assertRefused(await post('manager', folder, 'Folder', 'mine'), 403, doors)
      }
      assertRefused(await put('manager', `/id/${id}`, { 'docri:initiator': 'manager' }), 403, doors)
    })

    test('a bulk action changes none of it', async () => {
      const { id } = await reviewed()
      const query = `SELECT * FROM Document WHERE ecm:uuid = '${id}'`
      await bulk.run({ action: 'setProperties', query, parameters: JSON.stringify({ 'docri:initiator': 'bob' }) }, 'bob')
      assert.equal((await flows.read(id)).initiator, 'alice')
    })

    test('people say something of it, which stays theirs, and lets it go on', async () => {
      const { id, task } = await reviewed()
      const said = requireStatus(
        201,
        await as('bob').post(`/id/${id}/@comment`, { 'entity-type': 'comment', text: 'which one?' }),
      )
      const changed = { 'entity-type': 'comment', text: 'the other one' }
      requireStatus(200, await as('bob').put(`/id/${id}/@comment/${said.id}`, changed))
      await flows.complete(task.id, 'validate', {}, 'bob')
    })
  })

  describe('is made by the engine alone', () => {
    for (const type of ['DocumentRoute', 'RouteNode', 'RoutingTask', 'TaskDoc', 'StepFolder', 'DocumentRouteStep'])
      test(`no ${type} is created at home`, async () => {
        await bench.restrict(home.uid, grant('eve', 'Everything'))
        assertRefused(await post('eve', home.path, type, 'forged'), 403, doors)
        assertRefused(await call('Document.Create', home.path, { type, name: 'forged' }, 'eve'), 403, doors)
        requireStatus(201, await post('Administrator', home.path, type, 'draft'))
      })

    test('nor made of another document by a facet', async () => {
      await bench.restrict(home.uid, grant('eve', 'Everything'))
      const { uid } = requireStatus(201, await post('eve', home.path, 'File', 'plain'))
      for (const facet of ['Task', 'RoutingTask', 'DocumentRoute'])
        assertRefused(await call('Document.AddFacet', uid, { facet }, 'eve'), 403, reserved)
      const facets = ['Task']
      await assert.rejects(
        server.inSession('eve', async (session) => {
          const parent = await session.tx.documents.find(home.uid)
          await createDocument(session, { parent: parent ?? null, type: 'File', name: 'faceted', facets, properties: {} })
        }),
        reserved,
      )
    })

    test('nor in the place of one of its folders', async () => {
      const root = await bench.read(await idAt('/'))
      const before = requireStatus(200, await as('Administrator').get(`/id/${root.uid}/@acl`)).acl
      const own = before.filter(({ name }: Answered) => name === 'local').flatMap(({ ace }: Answered) => ace)
      const kept = own.map(({ username, permission, granted }: Answered) => ({ ...grant(username, permission), granted }))
      await bench.setAcls(root.uid, [{ name: 'local', aces: [grant('eve', 'AddChildren'), ...kept] }])
      requireStatus(204, await as('Administrator').delete('/path/task-root'))
      assertRefused(await post('eve', '/', 'Folder', 'task-root'), 403, doors)
      await bench.setAcls(root.uid, [{ name: 'local', aces: kept }])
    })

    test('no workflow is about what belongs to workflows', async () => {
      const models = await idAt('/document-route-models-root')
      const body = { 'entity-type': 'workflow', workflowModelName: serial }
      for (const uid of [models, await idAt(`/document-route-models-root/${serial}`)])
        assertRefused(await as('eve').post(`/id/${uid}/@workflow`, body), 400, /is itself a document of workflows/)
    })
  })

  describe('is believed where it stands, and nowhere else', () => {
    /** What somebody made by hand, all of it in the states in which the engine would act on it. */
    async function forged(target: string) {
      await bench.restrict(home.uid, grant('eve', 'Everything'))
      const route = await bench.create(
        'DocumentRoute',
        {
          'dc:title': 'wf.parallelDocumentReview.ParallelDocumentReview',
          'docri:initiator': 'eve',
          'docri:participatingDocuments': [target],
        },
        { parent: home.path },
      )
      const node = await bench.create(
        'RouteNode',
        {
          'rnode:nodeId': 'n1',
          'rnode:start': true,
          'rnode:hasTask': true,
          'rnode:outputChain': 'Document.Delete',
          'rnode:escalationRules': [{ name: 'r', condition: 'true', chain: 'Document.Delete' }],
          'rnode:transitions': [{ name: 't', targetId: 'n2', condition: 'true' }],
        },
        { parent: route.path },
      )
      await bench.create('RouteNode', { 'rnode:nodeId': 'n2', 'rnode:stop': true }, { parent: route.path })
      const properties = { 'nt:actors': ['eve'], 'nt:processId': route.uid, 'nt:type': 'n1' }
      const task = await bench.create('RoutingTask', properties, { parent: home.path })
      await bench.change(route.uid, { state: 'running' })
      await bench.change(node.uid, { state: 'suspended' })
      return { route, node, task }
    }

    /** Waits until a pass has let a parallel review go on whose time is over. */
    async function escalated(id: string): Promise<void> {
      await findEscalations(server.services, server.services.repositories.get('default') ?? assert.fail())
      const until = Date.now() + 60_000
      while ((await flows.tasks(`?workflowInstanceId=${id}`))[0]?.nodeName !== 'Task2169') assert.ok(Date.now() < until)
    }

    test('a workflow at home runs no chain, is no workflow, and is shown on no document', async () => {
      const victim = await bench.create('File')
      await bench.restrict(victim.uid, grant('alice', 'ReadWrite'))
      requireStatus(200, await call('Document.Lock', victim.uid, {}, 'alice'))
      const { route, task } = await forged(victim.uid)
      assert.equal((await flows.tryTo(task.uid, 'go', {}, 'eve')).status, 404)
      assert.equal((await as('eve').put(`/task/${task.uid}/delegate?delegatedActors=bob`)).status, 404)
      assert.equal((await as('eve').get(`/task/${task.uid}`)).status, 404)
      for (const address of [`/workflow/${route.uid}`, `/workflow/${route.uid}/graph`])
        assert.equal((await as('eve').get(address)).status, 404)
      assert.equal((await as('eve').delete(`/workflow/${route.uid}`)).status, 404)
      const { contextParameters, lockOwner } = await bench.read(victim.uid, {
        'enrichers.document': 'runningWorkflows',
        'fetch.document': 'lock',
      })
      assert.deepEqual([contextParameters.runningWorkflows, lockOwner], [[], 'alice'])
    })

    test('a node that stands nowhere keeps no escalation of others back', async () => {
      const victim = await bench.create('File')
      await forged(victim.uid)
      const file = await bench.create('File')
      const { id } = await flows.start(file.uid, 'ParallelDocumentReview', 'alice')
      const variables = { participants: ['user:bob'], end_date: '2020-01-01' }
      await flows.complete((await flows.task(id)).id, 'start_review', variables, 'alice')
      await escalated(id)
      await bench.read(victim.uid)
    })

    test('a condition that is wrong keeps no other rule of its node back', async () => {
      const file = await bench.create('File')
      const { id } = await flows.start(file.uid, 'ParallelDocumentReview', 'alice')
      const variables = { participants: ['user:bob'], end_date: '2020-01-01' }
      await flows.complete((await flows.task(id)).id, 'start_review', variables, 'alice')
      const { path } = await bench.read(id)
      const node = await idAt(`${path}/Task328d`)
      const { 'rnode:escalationRules': rules } = await bench.readProperties(node)
      const wrong = { name: 'a', condition: '1 + 1', chain: 'voidChain' }
      await bench.update(node, { 'rnode:escalationRules': [wrong, ...rules] })
      await escalated(id)
    })

    test('a rule whose chain fails has one job, however often it is looked at, and is tried anew after it was given up', async () => {
      const { id } = await flows.start((await bench.create('File')).uid, 'ParallelDocumentReview', 'alice')
      const node = await idAt(`${(await bench.read(id)).path}/Task2556`)
      await bench.update(node, { 'rnode:escalationRules': [{ name: 'r', condition: 'true', chain: 'noSuchChain' }] })
      const repository = server.services.repositories.get('default') ?? assert.fail()
      const { store } = repository
      const jobs = async () =>
        (await store.reader.jobs.list({ kind: 'workflow.escalationRule' }, 1_000)).filter(
          ({ payload }) => isJsonObject(payload) && payload['node'] === node,
        )
      const patience = AbortSignal.timeout(60_000)
      await findEscalations(server.services, repository)
      while ((await jobs())[0]?.error == null) await wait(20, undefined, { signal: patience })
      await findEscalations(server.services, repository)
      const [failed, ...others] = await jobs()
      assert.ok(failed !== undefined && others.length === 0)
      await store.transact((tx) => tx.jobs.park(failed, 'given up'))
      await findEscalations(server.services, repository)
      const [anew, ...more] = await jobs()
      assert.ok(anew !== undefined && anew.id !== failed.id && more.length === 0)
      requireStatus(204, await as('alice').delete(`/workflow/${id}`))
    })

    test('a task that its node does not name tells of no workflow, and completes nothing of it', async () => {
      const { id, node } = await reviewed()
      const properties = {
        'nt:actors': ['eve'],
        'nt:processId': id,
        'nt:type': 'Task6d8',
        'nt:task_variables': [{ key: 'document.routing.step', value: node.uid }],
      }
      const task = await bench.create('RoutingTask', properties, { parent: '/task-root' })
      await bench.setAcls(task.uid, [{ name: 'local', aces: [grant('eve', 'Everything')] }])
      const shown = requireStatus(200, await as('eve').get(`/task/${task.uid}`))
      assert.deepEqual([shown.variables, shown.taskInfo, shown.workflowInitiator], [{}, undefined, undefined])
      assertRefused(await flows.tryTo(task.uid, 'validate', {}, 'eve'), 409, /does not wait for the task/)
      assert.equal((await as('eve').put(`/task/${task.uid}/reassign?actors=bob`)).status, 409)
      assert.equal((await flows.read(id)).state, 'running')
      requireStatus(204, await as('Administrator').delete(`/id/${task.uid}`))
    })

    test('a stand-alone task runs the chain that its maker chose, for its maker, on its document', async () => {
      const [own, victim] = [await bench.create('File'), await bench.create('File')]
      await bench.restrict(own.uid, grant('eve', 'ReadWrite'))
      await bench.restrict(victim.uid)
      const params = { 'task name': 'mine', 'additional list of actors prefixed ids': 'user:eve' }
      requireStatus(200, await call('Task.Create', own.uid, params, 'eve'))
      const [task] = requireStatus(200, await as('eve').get(`/id/${own.uid}/@task`)).entries
      for (const properties of [
        { 'nt:initiator': 'Administrator' },
        { 'nt:targetDocumentsIds': [victim.uid] },
        { 'nt:task_variables': [{ key: 'acceptOperationChain', value: 'Document.Delete' }] },
      ])
        assertRefused(await put('eve', `/id/${task.id}`, properties), 403, doors)
      await flows.complete(task.id, 'accept', {}, 'eve')
      await bench.read(victim.uid)
    })
  })
})
