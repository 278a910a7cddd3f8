import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { defineChain } from '../../src/automation/chain.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { addGroup, aUser } from '../support/accounts.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const chains = [
  // What is sent as a parameter is only a text; a script is evaluated, and only administrators may send one.
  defineChain({
    id: 'evaluate',
    access: { administrators: true },
    steps: [{ operation: 'RunScript' }, { operation: 'Flow.Show' }],
  }),
  defineChain({
    id: 'evaluateAndSave',
    access: { administrators: true },
    steps: [{ operation: 'RunScript' }, { operation: 'Document.Save' }],
  }),
  defineChain({
    id: 'query',
    steps: [
      {
        operation: 'Repository.Query',
        params: {
          query:
            'expr:SELECT * FROM Note WHERE ecm:isVersion = 0 AND dc:created < @{CurrentDate.days(1)} AND dc:source = @{Fn.nxqlEscape(word)}',
        },
      },
    ],
  }),
  defineChain({
    id: 'numbered',
    steps: [
      { operation: 'Context.SetVar', params: { name: 'number', value: 'expr:Fn.getNextId("bills")' } },
      { operation: 'Context.SetVar', params: { name: 'other', value: 'expr:Fn.getNextId("bills", "drafts")' } },
      { operation: 'Flow.Show' },
    ],
  }),
  defineChain({
    id: 'typed',
    steps: [
      {
        operation: 'Flow.Show',
        params: {
          given: { number: 'expr:1 + 1', text: 'expr:@{1 + 1}', list: ['expr:CurrentUser.name', 'plain'], empty: 'expr:' },
        },
      },
    ],
  }),
]

onEachServer(
  'expressions',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    let workspace: Answered
    let note: Answered

    before(async () => {
      workspace = await bench.create('Workspace', { 'dc:title': 'The workspace' }, { name: 'expressed' })
      const properties = {
        'dc:title': 'A note',
        'dc:description': 'about',
        'note:note': 'words',
        'dc:subjects': ['art/cinema', 'art/music'],
      }
      note = await bench.create('Note', properties, { parent: workspace.path, name: 'noted' })
      const jane = aUser('jane', {
        firstName: 'Jane',
        lastName: 'Doe',
        company: 'ACME',
        email: 'jane@acme.test',
        password: 'jane',
      })
      requireStatus(201, await server.as('Administrator').post('/user', jane))
      await server.addUser('joe')
      await addGroup(server, 'crew', { users: ['joe'] })
      await addGroup(server, 'staff', { users: ['jane'], groups: ['crew'] })
      await addGroup(server, 'circle', { users: ['jane'], groups: ['circle'] })
    })

    const evaluated = async (expression: string, input: unknown = `doc:${note.uid}`) => {
      const script = `Context["result"] = ${expression}`
      return requireStatus(200, await call('evaluate', { input, params: { script } })).value.variables.result
    }

    test('1.12 Document tells what a document is', async () => {
      const rows: [expression: string, value: unknown][] = [
        ['Document.id', note.uid],
        ['Document.ref', note.uid],
        ['Document.name', 'noted'],
        ['Document.path', `${workspace.path}/noted`],
        ['Document.title + " " + Document.getTitle()', 'A note A note'],
        ['Document.description', 'about'],
        ['Document.type', 'Note'],
        ['Document.lifeCycle', 'project'],
        ['Document.versionLabel', '0.1'],
        ['Document.parent.title', 'The workspace'],
        ['Document.workspace.id', workspace.uid],
        ['Document.domain.path', '/default-domain'],
        ['Document.getParent("Domain").type', 'Domain'],
        ['Document.getParent("File")', null],
        ['Document.resolvePath("a/b")', `${workspace.path}/noted/a/b`],
        ['Document.schemas.contains("note") && Document.facets.contains("Versionable")', true],
        ['Document.hasFacet("Folderish") || Document.isFolder()', false],
        ['Document.parent.folder && Document.versionable && !Document.downloadable', true],
        ['Document.locked || Document.immutable || Document.proxy || Document.version', false],
      ]
      for (const [expression, value] of rows) assert.deepEqual(await evaluated(expression), value, expression)
    })

    test('1.12 Document is immutable where it is a version or a proxy to one, and has the facet that says so', async () => {
      const [file, section] = [await bench.create('File'), await bench.create('Section')]
      const { proxy, version } = await bench.publish(file.uid, section.uid)
      const link = await bench.createProxy(section.uid, file.uid)
      for (const expression of [
        'Document.immutable',
        'Document.isImmutable()',
        'Document.hasFacet("Immutable")',
        'Document.facets.contains("Immutable")',
      ]) {
        for (const [uid, isImmutable] of [
          [version, true],
          [proxy, true],
          [link, false],
          [file.uid, false],
        ] as const)
          assert.equal(await evaluated(expression, `doc:${uid}`), isImmutable, `${expression} of ${uid}`)
      }
      const kept = { input: `docs:${file.uid},${proxy},${link},${version}`, params: { condition: 'Document.immutable' } }
      const { entries } = requireStatus(200, await call('Document.Filter', kept))
      assert.deepEqual(
        entries.map(({ uid }: Answered) => uid),
        [proxy, version],
      )
    })

    test('1.12 Document["xpath"] gives a property by its type, and nothing for one that there is not', async () => {
      const rows: [expression: string, value: unknown][] = [
        ['Document["dc:title"]', 'A note'],
        ['Document["note:note"].length()', 5],
        ['Document["dc:subjects"]', ['art/cinema', 'art/music']],
        ['Document["dc:subjects"][1] + Document["dc:subjects/0"]', 'art/musicart/cinema'],
        ['Document["dc:created"].year > 2000 && Document["dc:created"] <= CurrentDate', true],
        ['Document["dc:expired"]', null],
        ['Document["file:content"]', null],
        ['Document["no:where"]', null],
        ['Document.getProperty("dc:creator")', 'Administrator'],
        ['Document["uid:major_version"] + "." + Document["uid:minor_version"]', '0.1'],
        ['Document.workspace["uid:major_version"]', null],
      ]
      for (const [expression, value] of rows) assert.deepEqual(await evaluated(expression), value, expression)
    })

    test('1.12 This, Document and Documents are what the step was given', async () => {
      const input = `docs:${note.uid},${workspace.uid}`
      assert.deepEqual(await evaluated('Documents.size()', input), 2)
      assert.deepEqual(await evaluated('Document.id', input), note.uid)
      assert.deepEqual(await evaluated('This[1].id', input), workspace.uid)
      assert.deepEqual(await evaluated('This', 'a text'), 'a text')
      const { status, body } = await call('evaluate', { params: { script: 'Document' } })
      assert.equal(status, 400)
      assert.match(body.message, /there is no Document/)
    })

    test('1.12 what setProperty, addFacet and removeFacet change waits for a step that saves, and shows at once', async () => {
      const file = await bench.create('File', { 'dc:title': 'before' })
      const script =
        'Document.setProperty("dc:title", "after"); Document.addFacet("Commentable"); ' +
        'Document.setProperty("dc:description", Document.title + " " + Document.hasFacet("Commentable"))'
      requireStatus(200, await call('evaluate', { input: `doc:${file.uid}`, params: { script } }))
      assert.equal((await bench.readProperties(file.uid))['dc:title'], 'before')
      requireStatus(200, await call('evaluateAndSave', { input: `doc:${file.uid}`, params: { script } }))
      const saved = await bench.read(file.uid, { properties: 'dublincore' })
      assert.equal(saved.properties['dc:title'], 'after')
      assert.equal(saved.properties['dc:description'], 'after true')
      assert.ok(saved.facets.includes('Commentable'))
    })

    test('1.12 a property that there is not, or of another type, cannot be set', async () => {
      for (const [script, message] of [
        ['Document.setProperty("no:where", "x")', /Property not found: no:where/],
        ['Document.setProperty("dc:issued", "soon")', /dc:issued/],
        ['Document.addFacet("NoFacet")', /No such facet/],
      ] as const) {
        const { status, body } = await call('evaluate', { input: `doc:${note.uid}`, params: { script } })
        assert.equal(status, 400, script)
        assert.match(body.message, message)
      }
    })

    test('1.12 CurrentUser and Fn tell of people', async () => {
      const rows: [expression: string, value: unknown][] = [
        ['CurrentUser.name + CurrentUser.actingUser', 'AdministratorAdministrator'],
        ['CurrentUser.groups.contains("administrators")', true],
        ['CurrentUser.originatingUser', null],
        ['CurrentUser.principal.name', 'Administrator'],
        ['Fn.getPrincipal("jane").firstName + Fn.getPrincipal("jane")["user:lastName"]', 'JaneDoe'],
        ['Fn.getPrincipal("jane").company', 'ACME'],
        ['Fn.getPrincipal("jane")', 'jane'],
        ['Fn.getPrincipal("nobody")', null],
        ['Fn.getEmail("jane")', 'jane@acme.test'],
        ['Fn.getEmail("joe")', null],
        ['Fn.getPrincipalsFromGroup("staff")', ['jane', 'joe']],
        ['Fn.getPrincipalsFromGroup("staff", true)', ['jane']],
        ['Fn.getPrincipalsFromGroup("circle")', ['jane']],
        ['Fn.getPrincipalsFromGroup("nobody")', []],
        ['Fn.getEmailsFromGroup("staff")', ['jane@acme.test']],
        ['Fn.getPrincipalEmails(["jane", "joe"])', ['jane@acme.test']],
        ['Fn.getEmails(["staff", "jane"])', ['jane@acme.test']],
        ['Fn.getEmails(["group:staff", "user:joe"], true)', ['jane@acme.test']],
      ]
      for (const [expression, value] of rows) assert.deepEqual(await evaluated(expression), value, expression)
    })

    test('1.12 Fn tells of vocabularies and documents, and counts', async () => {
      assert.equal(await evaluated('Fn.getVocabularyLabel("continent", "europe")'), 'label.directories.continent.europe')
      assert.equal(await evaluated('Fn.getVocabularyLabel("continent", "atlantis")'), 'atlantis')
      assert.equal(await evaluated(`Fn.documentExists(Session, "${workspaces}")`), true)
      assert.equal(await evaluated('Fn.documentExists(Session, "/nowhere")'), false)
      assert.equal(await evaluated(`Session.getDocument("${note.uid}").title`), 'A note')
      const first = await evaluated('Fn.getNextId("invoices")')
      assert.deepEqual([await evaluated('Fn.getNextId("invoices")'), await evaluated('Fn.getNextId("others")')], [first + 1, 1])
    })

    test('1.12 a chain that only reads is given numbers too, by each sequencer its own', async () => {
      await server.addUser('clerk', ['members'])
      const numbers = async () => {
        const { variables } = requireStatus(200, await operationsOn(server, 'clerk')('numbered')).value
        return [variables.number, variables.other]
      }
      assert.deepEqual(
        [await numbers(), await numbers()],
        [
          [1, 1],
          [2, 2],
        ],
      )
      assert.equal(await evaluated('Fn.getNextId("bills", "others")'), 1)
      assert.equal(await evaluated('Fn.getNextId("bills")'), 3)
    })

    test('1.12 a template makes a text, an expression keeps its type, wherever they stand', async () => {
      const { value } = requireStatus(200, await call('typed'))
      assert.deepEqual(value.given, { number: 2, text: '2', list: ['Administrator', 'plain'], empty: '' })
    })

    test('1.12 a query of a chain takes dates and words from its context', async () => {
      const odd = await bench.create('Note', { 'dc:source': "it's" })
      const found = requireStatus(200, await call('query', { context: { word: "it's" } }))
      assert.deepEqual(
        found.entries.map(({ uid }: { uid: string }) => uid),
        [odd.uid],
      )
    })

    test('1.12 Document.Filter keeps the documents for which its condition holds', async () => {
      const input = `docs:${note.uid},${workspace.uid}`
      const body = requireStatus(200, await call('Document.Filter', { input, params: { condition: 'Document.folder' } }))
      assert.deepEqual(
        body.entries.map(({ uid }: { uid: string }) => uid),
        [workspace.uid],
      )
      for (const condition of ['Document.', 'Document.nothing', 'Document.title', 'expr:@{']) {
        assert.equal((await call('Document.Filter', { input, params: { condition } })).status, 400, condition)
      }
    })

    test('a condition shows nobody what they cannot read', async () => {
      await server.addUser('eve', ['members'])
      const hidden = await bench.create('Workspace', { 'dc:title': 'hidden' })
      const shown = await bench.create('Note', { 'dc:title': 'shown' }, { parent: hidden.path })
      await bench.restrict(hidden.uid)
      await bench.setAcls(shown.uid, [
        { name: 'local', aces: [grant('eve', 'Read'), grant('administrators', 'Everything'), deny('Everyone', 'Everything')] },
      ])
      const asEve = operationsOn(server, 'eve')
      const input = `docs:${shown.uid}`
      const parent = await asEve('Document.Filter', { input, params: { condition: 'Document.parent.title == "hidden"' } })
      assert.equal(parent.status, 403)
      const other = await asEve('Document.Filter', {
        input,
        params: { condition: `Session.getDocument("${hidden.uid}").id != null` },
      })
      assert.equal(other.status, 403)
      const exists = await asEve('Document.Filter', {
        input,
        params: { condition: `Fn.documentExists(Session, "${hidden.uid}")` },
      })
      assert.deepEqual(requireStatus(200, exists).entries, [])
      const counts = await asEve('Document.Filter', { input, params: { condition: 'Fn.getNextId("x") > 0' } })
      assert.equal(counts.status, 400)
      assert.match(counts.body.message, /only in a chain that asks for it/)
    })
  },
  { plugins: [flowPlugin(...chains)] },
)
