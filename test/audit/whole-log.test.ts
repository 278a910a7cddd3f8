import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { announce } from '../../src/core/event.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { attach, download } from '../support/files.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

onEachServer('4.4 the whole audit log', (server) => {
  const bench = workbenchOn(server)
  const administrator = () => server.as('Administrator')
  const call = (operation: string, body: object, user = 'Administrator') => server.as(user).post(`/automation/${operation}`, body)
  const page = async (params: object): Promise<Answered> =>
    requireStatus(200, await call('Audit.QueryWithPageProvider', { params }))
  const run = async (name: string, query = '', user = 'Administrator') =>
    server.as(user).get(`/search/pp/${name}/execute${query}`)
  let uid = ''
  before(async () => {
    await server.addUser('ann', ['members'])
    await server.addUser('power', ['powerusers'])
    uid = (await bench.create('File', { 'dc:title': 'x' })).uid
    requireStatus(200, await call('Audit.LogEvent', { input: `doc:${uid}`, params: { event: 'reviewed', comment: 'fine' } }))
  })

  describe('counted and exported', () => {
    const counts = async (query = '') => requireStatus(200, await administrator().get(`/management/audit/counts${query}`))

    test('has as many rows by day and by event as its pages show', async () => {
      const body = await counts()
      const rows = await page({ pageSize: 1_000 })
      const tally = (key: (entry: Answered) => string) =>
        [...Map.groupBy<string, Answered>(rows.entries, key)].map(([name, of]) => [name, of.length] as const)
      assert.equal(body.total, rows.resultsCount)
      assert.deepEqual(
        body.days.map(({ day, count }: Answered) => [day, count]),
        tally(({ eventDate }) => eventDate.slice(0, 10)).toSorted(),
      )
      assert.deepEqual(
        body.events.map(({ eventId, count }: Answered) => [eventId, count]).toSorted(),
        tally(({ eventId }) => eventId).toSorted(),
      )
    })
    test('is kept to events, users and days that are asked for', async () => {
      assert.deepEqual((await counts('?eventId=reviewed')).events, [{ eventId: 'reviewed', count: 1 }])
      assert.equal((await counts('?eventId=reviewed,documentCreated&principalName=nobody')).total, 0)
      assert.deepEqual((await counts('?startEventDate=2001-01-01&endEventDate=2001-02-01')).days, [])
    })
    test('comes as CSV, in which nothing is a formula', async () => {
      const { status, text, headers } = await administrator().get('/management/audit/export?eventId=reviewed')
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /text\/csv/)
      const [head, row, ...rest] = text.split('\r\n')
      assert.ok(head?.startsWith('id,eventDate,eventId,category,principalName,docUUID'))
      assert.ok(row?.includes(`reviewed,Automation,Administrator,${uid},File`), String(row))
      assert.deepEqual(rest, [''])
    })
    test('is refused to others, for no dates and for too many days', async () => {
      for (const what of ['counts', 'export']) {
        for (const user of ['ann', 'power']) assert.equal((await server.as(user).get(`/management/audit/${what}`)).status, 403)
        assert.equal((await administrator().get(`/management/audit/${what}?startEventDate=yesterday`)).status, 400)
      }
      const { status } = await administrator().get('/management/audit/counts?startEventDate=2001-01-01&endEventDate=2003-01-01')
      assert.equal(status, 400)
    })
  })

  describe('Audit.LogEvent', () => {
    test('adds a row for the document and gives the document', async () => {
      const { entries } = requireStatus(200, await administrator().get(`/id/${uid}/@audit?eventId=reviewed`))
      const [{ category, comment, principalName, docUUID, docPath, docType, docLifeCycle }] = entries
      assert.deepEqual(
        [category, comment, principalName, docUUID, docType, docLifeCycle],
        ['Automation', 'fine', 'Administrator', uid, 'File', 'project'],
      )
      assert.ok(docPath.startsWith('/default-domain/'))
    })
    test('adds one for each document of a list, by its other name', async () => {
      const other = await bench.create('File')
      const input = `docs:${uid},${other.uid}`
      const answer = requireStatus(200, await call('Audit.Log', { input, params: { event: 'counted', category: 'Mine' } }))
      assert.equal(answer.entries.length, 2)
      const { entries } = await page({ namedQueryParams: { eventIds: 'counted' } })
      assert.deepEqual(
        entries.map(({ docUUID, category }: Answered) => [docUUID, category]).toSorted(),
        [
          [other.uid, 'Mine'],
          [uid, 'Mine'],
        ].toSorted(),
      )
    })
    test('is refused on what the caller may not read, without an event, and for too much text', async () => {
      const hidden = await bench.create('File')
      await bench.restrict(hidden.uid)
      const refused = await call('Audit.LogEvent', { input: `doc:${hidden.uid}`, params: { event: 'seen' } }, 'ann')
      assert.ok([403, 404].includes(refused.status), refused.text)
      for (const params of [{}, { event: 'x'.repeat(201) }, { event: 'x', comment: 'x'.repeat(10_001) }, { event: 'x\u0000' }]) {
        const { status } = await call('Audit.LogEvent', { input: `doc:${uid}`, params })
        assert.equal(status, 400)
      }
      assert.equal((await page({ namedQueryParams: { eventIds: 'seen,x' } })).resultsCount, 0)
    })
  })

  describe('Audit.QueryWithPageProvider', () => {
    test('answers log entries, as many as it says', async () => {
      for (const providerName of [undefined, 'EVENTS_VIEW', 'ADMIN_HISTORY', 'AUDIT_BROWSER']) {
        const list = await page({ providerName, pageSize: 3, namedQueryParams: {} })
        assert.equal(list['entity-type'], 'logEntries')
        assert.equal(list.currentPageSize, list.entries.length)
        assert.deepEqual([...new Set(list.entries.map((entry: Answered) => entry['entity-type']))], ['logEntry'])
        const dates = list.entries.map(({ eventDate }: Answered) => eventDate)
        assert.deepEqual(dates, dates.toSorted().toReversed())
      }
      assert.equal((await page({ providerName: 'EVENTS_VIEW' })).pageSize, 10)
    })
    test('filters by what the page of the administrator sends', async () => {
      const query = async (namedQueryParams: object, more: object = {}) =>
        (await page({ providerName: 'EVENTS_VIEW', pageSize: 100, namedQueryParams, ...more })).entries.map(
          ({ eventId, docUUID }: Answered) => `${eventId} ${docUUID === uid}`,
        )
      assert.deepEqual(await query({ eventIds: 'reviewed', eventCategory: 'Automation', principalName: 'Administrator' }), [
        'reviewed true',
      ])
      assert.deepEqual(await query({ eventIds: 'reviewed', principalName: 'ann' }), [])
      assert.deepEqual(await query({ eventIds: 'reviewed,none', startDate: '2001-01-01', endDate: '2999-01-01' }), [
        'reviewed true',
      ])
      assert.deepEqual(await query({ eventIds: 'reviewed', endDate: '2001-01-01' }), [])
      assert.deepEqual(await query({ 'bas:eventIds': ['reviewed'] }), ['reviewed true'])
      assert.deepEqual(await query({ eventIds: '["reviewed","none"]' }), ['reviewed true'])
      assert.deepEqual(await query({ 'basicauditsearch:eventIds': '["reviewed"]' }), ['reviewed true'])
      assert.deepEqual(await query({ principalName: '$currentUser', eventIds: 'reviewed' }), ['reviewed true'])
      assert.deepEqual(await query({ targetDocumentUUID: uid, eventIds: 'reviewed' }), ['reviewed true'])
      assert.deepEqual(
        await query({ eventIds: 'reviewed,documentCreated', targetDocumentUUID: uid }, { sortBy: 'id', sortOrder: 'ASC' }),
        ['documentCreated true', 'reviewed true'],
      )
      assert.deepEqual(
        await query({ eventIds: 'reviewed,documentCreated', targetDocumentUUID: uid }, { sortInfo: ['log.id false'] }),
        ['reviewed true', 'documentCreated true'],
      )
    })
    test('refuses a list that is none', async () => {
      const eventIds = '["reviewed"'
      const answer = await server
        .as('Administrator')
        .get(`/search/pp/EVENTS_VIEW/execute?eventIds=${encodeURIComponent(eventIds)}`)
      assert.equal(answer.status, 400)
      assert.match(answer.text, /eventIds is no list of texts/)
    })
    test('pages through what several events and users have, each row once', async () => {
      const named = { eventIds: 'reviewed,documentCreated,user_created,documentModified' }
      const all = (await page({ pageSize: 1000, namedQueryParams: named })).entries.map(({ id }: Answered) => id)
      assert.ok(all.length > 5)
      const paged: number[] = []
      for (let currentPageIndex = 0; paged.length < all.length; currentPageIndex += 1) {
        const list = await page({ pageSize: 3, currentPageIndex, namedQueryParams: named })
        assert.equal(list.resultsCount, all.length)
        assert.ok(list.entries.length > 0)
        paged.push(...list.entries.map(({ id }: Answered) => id))
      }
      assert.deepEqual(paged, all)
    })
    test('takes a simple query', async () => {
      const query = `SELECT log FROM LogEntry log WHERE log.eventId IN ('reviewed', 'none') AND log.docUUID = '${uid}' ORDER BY log.eventDate DESC`
      assert.deepEqual(
        (await page({ query })).entries.map(({ eventId }: Answered) => eventId),
        ['reviewed'],
      )
    })
    test('is refused where it is wrong', async () => {
      for (const [params, status] of [
        [{ providerName: 'NOBODY' }, 404],
        [{ providerName: 'LATEST_CREATED_USERS_OR_GROUPS_PROVIDER' }, 404],
        [{ query: 'DROP TABLE audit_entries' }, 400],
        [{ query: "log.eventId = 'x' OR 1 = 1" }, 400],
        [{ sortBy: 'secret' }, 400],
        [{ namedQueryParams: { startDate: 'soon' } }, 400],
        [{ namedQueryParams: { logId: 'x' } }, 400],
        [{ providerName: 'DOCUMENT_HISTORY_PROVIDER' }, 400],
      ] as const) {
        const answer = await call('Audit.QueryWithPageProvider', { params })
        assert.equal(answer.status, status, JSON.stringify(params) + answer.text)
      }
    })
    test('gives the history of a document', async () => {
      const list = await page({ providerName: 'DOCUMENT_HISTORY_PROVIDER', queryParams: uid, pageSize: 50 })
      assert.deepEqual([...new Set(list.entries.map(({ docUUID }: Answered) => docUUID))], [uid])
    })
  })

  describe('Audit.Query', () => {
    test('gives a file of rows in their older shape', async () => {
      const answer = await call('Audit.Query', {
        params: { query: "log.eventId = 'reviewed' AND log.eventDate >= :since" },
        context: { 'audit.query.since': '{d 2001-01-01}' },
      })
      assert.equal(answer.status, 200, answer.text)
      const [row, ...others] = JSON.parse(answer.text)
      assert.deepEqual(others, [])
      assert.deepEqual(Object.keys(row), [
        'eventId',
        'category',
        'eventDate',
        'principal',
        'docUUID',
        'docType',
        'docPath',
        'docLifeCycle',
        'repoId',
        'comment',
      ])
      assert.deepEqual([row.principal, row.repoId, typeof row.eventDate], ['Administrator', 'default', 'number'])
    })
    test('has pages', async () => {
      const read = async (pageNo: number) =>
        JSON.parse((await call('Audit.Query', { params: { query: 'ORDER BY log.id ASC', pageNo, maxResults: 2 } })).text)
      const [first, second] = [await read(1), await read(2)]
      assert.deepEqual([first.length, second.length], [2, 2])
      assert.notDeepEqual(first, second)
    })
    test('is refused where it is wrong', async () => {
      for (const query of ['', "log.eventId = 'x", 'log.extended = 1', "log.eventDate >= 'soon'", 'log.eventId = :missing'])
        assert.equal((await call('Audit.Query', { params: { query } })).status, query === '' ? 200 : 400, query)
    })
  })

  test('Audit.Restore says that there is nothing to restore from', async () => {
    const answer = await call('Audit.Restore', { params: { auditStorage: 'old' } })
    assert.equal(answer.status, 501, answer.text)
  })

  test('of a document by an id that none can have is refused', async () => {
    for (const [name, parameter] of [
      ['AUDIT_BROWSER', 'targetDocumentUUID'],
      ['DOCUMENT_HISTORY_PROVIDER', 'queryParams'],
      ['DOCUMENT_HISTORY_PROVIDER', 'documentId'],
    ] as const) {
      const { status, body } = await run(name, `?${parameter}=${encodeURIComponent(`${uid}\0`)}`)
      assert.equal(status, 400, `${name} ${parameter}`)
      assert.match(body.message, /cannot be stored, U\+0000 .* behind/)
    }
  })

  describe('rights', () => {
    test('the whole log is for administrators, however it is asked for', async () => {
      for (const user of ['ann', 'power']) {
        for (const name of ['EVENTS_VIEW', 'ADMIN_HISTORY', 'AUDIT_BROWSER', 'LATEST_AUDITED_CREATED_USERS_OR_GROUPS_PROVIDER']) {
          assert.equal((await run(name, '', user)).status, 403, name)
          assert.equal((await server.as(user).get(`/query/${name}`)).status, 403, name)
          assert.equal((await server.as(user).get(`/id/${uid}/@pp/${name}`)).status, 403, name)
        }
        for (const id of ['Audit.QueryWithPageProvider', 'Audit.PageProvider', 'Audit.Query', 'Audit.Restore']) {
          const answer = await call(id, { params: { query: "log.eventId = 'x'", auditStorage: 'x' } }, user)
          assert.ok([403, 404].includes(answer.status), `${id} ${answer.status}`)
        }
      }
      assert.equal((await run('EVENTS_VIEW')).status, 200)
    })
    test('the history of a document is for whoever may read it', async () => {
      const shown = await bench.create('File')
      await bench.restrict(shown.uid, grant('ann', 'Read'))
      assert.equal((await run('DOCUMENT_HISTORY_PROVIDER', `?queryParams=${shown.uid}`, 'ann')).status, 200)
      assert.equal((await run('DOCUMENT_HISTORY_PROVIDER', `?queryParams=${shown.uid}`, 'power')).status, 403)
      // A filter on another document does not widen it.
      const other = await run('DOCUMENT_HISTORY_PROVIDER', `?queryParams=${shown.uid}&targetDocumentUUID=${uid}`, 'ann')
      assert.deepEqual([...new Set(other.body.entries.map(({ docUUID }: Answered) => docUUID))], [shown.uid])
    })
  })

  describe('users and groups', () => {
    const newUser = (id: string) => ({
      'entity-type': 'user',
      id,
      properties: { username: id, password: `${id}-Secret-1`, email: `${id}@example.org` },
    })
    test('that are made, changed and removed have rows with their ids', async () => {
      requireStatus(201, await administrator().post('/user', newUser('carl')))
      requireStatus(
        201,
        await administrator().post('/group', { 'entity-type': 'group', groupname: 'readers', grouplabel: 'Readers' }),
      )
      const { entries } = await page({ namedQueryParams: { eventCategory: 'userGroup' }, pageSize: 2 })
      assert.deepEqual(
        entries.map(({ eventId, extended, docUUID, principalName }: Answered) => [eventId, extended, docUUID, principalName]),
        [
          ['group_created', { id: 'readers' }, null, 'Administrator'],
          ['user_created', { id: 'carl' }, null, 'Administrator'],
        ],
      )
    })
    test('that were made last are listed, to whoever looks after people', async () => {
      requireStatus(201, await administrator().post('/user', newUser('dora')))
      const name = 'LATEST_CREATED_USERS_OR_GROUPS_PROVIDER'
      for (const user of ['Administrator', 'power']) {
        const list = requireStatus(200, await server.as(user).get(`/query/${name}`))
        assert.equal(list['entity-type'], 'documents')
        assert.ok(list.totalSize > 0 && list.totalSize === list.resultsCount)
        assert.deepEqual([list.entries[0].type, list.entries[0].properties['user:username']], ['user', 'dora'])
        assert.equal(JSON.stringify(list).includes('Secret'), false)
      }
      assert.deepEqual(requireStatus(200, await server.as('ann').get(`/query/${name}`)).entries, [])
    })
  })

  describe('sign-ins', () => {
    test('that succeed and fail have rows', async () => {
      const answer = await fetch(new URL('api/v1/me', server.url), { headers: { authorization: `Basic ${btoa('ann:wrong')}` } })
      assert.equal(answer.status, 401)
      const query = async (eventIds: string) =>
        (await page({ namedQueryParams: { eventIds }, pageSize: 50 })).entries as Answered[]
      const [failed] = await query('loginFailed')
      assert.deepEqual([failed?.principalName, failed?.category, failed?.docUUID], ['ann', 'PlatformAuthentication', null])
      assert.match(failed?.comment, /^ann failed to sign in by \w*BASIC_AUTH$/)
      const succeeded = await query('loginSuccess')
      assert.ok(succeeded.some(({ principalName }) => principalName === 'Administrator'))
    })
  })

  test('a download has a row that tells of the file', async () => {
    const { uid: file } = await bench.create('File')
    await attach(server, file, 'some words', { name: 'words.txt' })
    assert.equal((await download(server, `api/v1/id/${file}/@blob/file:content`)).status, 200)
    const reason = 'view'.padEnd(300, ' x')
    assert.equal(
      (await download(server, `api/v1/id/${file}/@blob/file:content?clientReason=${encodeURIComponent(reason)}`)).status,
      200,
    )
    const { entries } = requireStatus(200, await administrator().get(`/id/${file}/@audit?eventId=download`))
    const told = { blobXPath: 'file:content', blobFilename: 'words.txt', downloadReason: 'download' }
    assert.deepEqual(
      entries.map(({ comment, extended }: Answered) => [comment, extended]),
      [
        ['words.txt', { ...told, clientReason: reason.slice(0, 200) }],
        ['words.txt', told],
      ],
    )
  })

  test('documents of the system have rows only where that is forced, and what is saved without audit has none', async () => {
    const { uid: id } = await bench.create('File')
    await server.asSystem(async (session) => {
      const document = await readDocument(session, id)
      await announce(session, 'documentLocked', { ...document, facets: ['SystemDocument'] })
      await announce(session, 'documentUnlocked', { ...document, facets: ['SystemDocument', 'ForceAudit'] })
      await announce(session, 'documentModified', document, { options: { audit: false } })
      await announce(session, 'documentCheckedOut', document)
    })
    const { entries } = requireStatus(200, await administrator().get(`/id/${id}/@audit`))
    assert.deepEqual(
      entries.map(({ eventId }: Answered) => eventId),
      ['documentUnlocked', 'documentCreated'],
    )
  })

  test('nobody learns of the rows of a document that they may not read, whatever the rights are', async () => {
    const random = seeded(7)
    const users = ['ann', 'power']
    const folders = await Promise.all([1, 2, 3].map(() => bench.create('Folder')))
    const documents: string[] = []
    for (let index = 0; index < 12; index += 1) {
      const parent = folders[Math.floor(random() * folders.length)]
      const document = await bench.create('File', {}, { parent: parent?.path })
      documents.push(document.uid)
    }
    for (const target of [...folders.map(({ uid: folder }) => folder), ...documents]) {
      const mayRead = users.filter(() => random() < 0.4)
      if (random() < 0.6) await bench.restrict(target, ...mayRead.map((user) => grant(user, 'Read')))
    }
    for (const user of users) {
      for (const document of documents) {
        const isReadable = (await server.as(user).get(`/id/${document}`)).status === 200
        for (const path of [
          `/id/${document}/@audit`,
          `/search/pp/DOCUMENT_HISTORY_PROVIDER/execute?queryParams=${document}`,
          `/id/${document}/@pp/DOCUMENT_HISTORY_PROVIDER`,
        ]) {
          const answer = await server.as(user).get(path)
          assert.equal(answer.status, isReadable ? 200 : 403, `${user} ${path}`)
          if (!isReadable) assert.equal(answer.body.entries, undefined)
          else assert.ok(answer.body.entries.every(({ docUUID }: Answered) => docUUID === document))
        }
      }
    }
  })

  test('nor of what was said, tagged, gathered or subscribed to there, from the moment the right is gone', async () => {
    const [open, folder] = [await bench.create('Note'), await bench.create('Folder')]
    const hidden = await bench.create('Note', { 'dc:title': 'hush title' }, { parent: folder.path })
    const say = async (target: string, adapter: string, fields: object) =>
      requireStatus(201, await administrator().post(`/id/${target}/@${adapter}`, { 'entity-type': adapter, ...fields })).id
    const comment = await say(hidden.uid, 'comment', { text: 'hush comment', entityId: 'hush-c' })
    const reply = await say(comment, 'comment', { text: 'hush reply' })
    const annotation = await say(hidden.uid, 'annotation', { text: 'hush mark', xpath: 'file:content', entityId: 'hush-a' })
    const collection = await bench.create('Collection')
    const ofAnn = async (operation: string, input: string | undefined, params: object = {}) =>
      call(operation, { ...(input !== undefined && { input }), params }, 'ann')
    const add = { input: `docs:${open.uid},${hidden.uid}`, params: { collection: collection.uid } }
    requireStatus(200, await call('Document.AddToCollection', add))
    requireStatus(200, await ofAnn('Services.TagDocument', hidden.uid, { tags: 'hush-tag' }))
    requireStatus(200, await ofAnn('Document.AddToFavorites', hidden.uid))
    requireStatus(200, await ofAnn('Document.Subscribe', hidden.uid))
    requireStatus(200, await ofAnn('Collection.GetDocumentsFromCollection', collection.uid))
    await bench.restrict(folder.uid)

    const { get } = server.as('ann')
    const named = (name: string, query: string) => get(`/search/pp/${name}/execute?${query}`)
    const search = (query: string) => get(`/search/execute?query=${encodeURIComponent(query)}`)
    const answers = [
      ...[hidden.uid, comment, reply, annotation].flatMap((id) =>
        ['', '/@audit', '/@comment', '/@annotation'].map((tail) => get(`/id/${id}${tail}`)),
      ),
      ...[
        `comment/${comment}`,
        `comment/${reply}`,
        `annotation/${annotation}`,
        `annotation/comments?annotationIds=${annotation}`,
      ].map((tail) => get(`/id/${open.uid}/@${tail}`)),
      get(`/id/${hidden.uid}/@comment/external/hush-c`),
      named('GET_COMMENTS_FOR_DOCUMENT', `queryParams=${hidden.uid}`),
      named('GET_COMMENTS_FOR_DOCUMENTS_BY_COMMENT_ANCESTOR', `queryParams=${hidden.uid}`),
      named('default_content_collection', `queryParams=${collection.uid}`),
      named('ordered_content_collection', `queryParams=${collection.uid}`),
      ofAnn('Collection.GetDocumentsFromCollection', collection.uid),
      ofAnn('Favorite.GetDocuments', open.uid),
      ofAnn('Tag.Suggestion', undefined, { searchTerm: 'hush' }),
      ofAnn('Tag.Suggestion', undefined, { value: 'x', document: hidden.uid }),
      ofAnn('Document.Unsubscribe', hidden.uid),
      search("SELECT * FROM Comment WHERE comment:text LIKE '%'"),
      search("SELECT * FROM Document WHERE ecm:tag LIKE 'h%'"),
      search("SELECT * FROM Document WHERE notif:notifications/*/subscribers/* = 'user:ann'"),
      ofAnn('Repository.ResultSetQuery', undefined, { query: 'SELECT DISTINCT ecm:tag FROM Document' }),
      get('/me/notifications'),
    ]
    for (const { status, text } of await Promise.all(answers)) {
      assert.ok(status < 500, text)
      assert.doesNotMatch(text, /hush (?:title|comment|reply|mark)|hush-(?:tag|a)/, text)
    }
    const gathered = requireStatus(200, await ofAnn('Collection.GetDocumentsFromCollection', collection.uid))
    assert.deepEqual([gathered.resultsCount, gathered.entries.map(({ uid: id }: Answered) => id)], [1, [open.uid]])
  })
})

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
