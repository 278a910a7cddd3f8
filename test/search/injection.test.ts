import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { shareOf } from '../support/engine-share.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'
import { hostileTexts, quoted } from './hostile/hostile-texts.ts'

const all = 'SELECT * FROM Document'

/** Where a literal can stand in a query, and so a text that somebody chose. */
const literalPlaces: readonly ((literal: string) => string)[] = [
  (literal) => `dc:title = ${literal}`,
  (literal) => `dc:title <> ${literal}`,
  (literal) => `dc:title > ${literal}`,
  (literal) => `dc:title IN (${literal}, 'x')`,
  (literal) => `dc:title BETWEEN ${literal} AND ${literal}`,
  (literal) => `dc:title LIKE ${literal}`,
  (literal) => `dc:title NOT ILIKE ${literal}`,
  (literal) => `dc:title STARTSWITH ${literal}`,
  (literal) => `dc:subjects = ${literal}`,
  (literal) => `dc:subjects/*1 = ${literal} OR dc:subjects/*1 LIKE ${literal}`,
  (literal) => `file:content/name = ${literal}`,
  (literal) => `dc:created = ${literal}`,
  (literal) => `dc:created > TIMESTAMP ${literal}`,
  (literal) => `dc:created > NOW(${literal})`,
  (literal) => `uid:major_version = ${literal}`,
  (literal) => `ecm:uuid = ${literal}`,
  (literal) => `ecm:parentId = ${literal}`,
  (literal) => `ecm:path = ${literal}`,
  (literal) => `ecm:path STARTSWITH ${literal}`,
  (literal) => `ecm:ancestorId = ${literal}`,
  (literal) => `ecm:primaryType = ${literal}`,
  (literal) => `ecm:mixinType IN (${literal})`,
  (literal) => `ecm:isVersion = ${literal}`,
  (literal) => `ecm:currentLifeCycleState = ${literal}`,
  (literal) => `ecm:lockOwner = ${literal}`,
  (literal) => `ecm:tag = ${literal}`,
  (literal) => `ecm:acl/*1/principal = ${literal}`,
  (literal) => `ecm:fulltext = ${literal}`,
  (literal) => `ecm:fulltext_title = ${literal}`,
  (literal) => `ecm:fulltext.dc:source = ${literal}`,
  (literal) => `NOT (ecm:fulltext = ${literal})`,
  (literal) => `/*+ES: INDEX(dc:title) OPERATOR(match) */ dc:title = ${literal}`,
  (literal) => `/*+ES: INDEX(dc:title) OPERATOR(match_phrase_prefix) */ dc:title = ${literal}`,
  (literal) => `/*+ES: INDEX(dc:title) OPERATOR(wildcard) */ dc:title = ${literal}`,
  (literal) => `/*+ES: INDEX(dc:title) OPERATOR(regex) */ dc:title = ${literal}`,
  (literal) => `/*+ES: INDEX(dc:title) OPERATOR(fuzzy) */ dc:title = ${literal}`,
  (literal) => `/*+ES: INDEX(dc:title) OPERATOR(more_like_this) */ dc:title = ${literal}`,
]

/** Where a text can stand in a query without being a literal. */
const rawPlaces: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `SELECT ${text} FROM Document`,
  (text) => `SELECT * FROM ${text}`,
  (text) => `${all} WHERE ${text}`,
  (text) => `${all} WHERE ${text} = 1`,
  (text) => `${all} WHERE dc:title = ${text}`,
  (text) => `${all} WHERE dc:title = '${text}'`,
  (text) => `${all} WHERE ecm:fulltext.${text} = 'a'`,
  (text) => `${all} WHERE ecm:fulltext_${text} = 'a'`,
  (text) => `${all} WHERE dc:subjects/${text} = 'a'`,
  (text) => `${all} WHERE ecm:acl/*1/${text} = 'a'`,
  (text) => `${all} ORDER BY ${text}`,
  (text) => `${all} ORDER BY dc:title ${text}`,
  (text) => `${all} LIMIT ${text}`,
  (text) => `SELECT COUNT(${text}) FROM Document`,
  (text) => `SELECT dc:title AS ${text} FROM Document`,
  (text) => `${all} WHERE /*+ES: INDEX(${text}) OPERATOR(match) */ dc:title = 'a'`,
]

/** Addresses with a text in one of their parameters. */
const requestPlaces: readonly ((text: string) => readonly [path: string, parameters: Record<string, string>])[] = [
  (text) => ['/search/execute', { query: `${all} WHERE dc:title = ?`, queryParams: text }],
  (text) => ['/search/execute', { query: `${all} WHERE dc:title = :t`, t: text }],
  (text) => ['/search/execute', { query: `${all} WHERE ecm:fulltext = :t AND dc:title LIKE :t`, t: text }],
  (text) => ['/search/execute', { query: all, sortBy: text, sortOrder: 'asc' }],
  (text) => ['/search/execute', { query: all, sortBy: `dc:title,${text}`, sortOrder: text }],
  (text) => ['/search/execute', { query: all, pageSize: text }],
  (text) => ['/search/execute', { query: all, offset: text }],
  (text) => ['/search/execute', { query: all, maxResults: text }],
  (text) => ['/search/pp/default_search/execute', { ecm_fulltext: text }],
  (text) => ['/search/pp/default_search/execute', { dc_creator: JSON.stringify([text]), dc_subjects: text, ecm_path: text }],
  (text) => ['/search/pp/default_search/execute', { dc_modified_min: text }],
  (text) => ['/search/pp/default_search/execute', { dc_nature_agg: JSON.stringify([text]), dc_modified_agg: text }],
  (text) => ['/search/pp/default_search/execute', { quickFilters: text, highlight: text, ecm_fulltext: 'a' }],
  (text) => ['/search/pp/default_search/execute', { [text]: text }],
  (text) => ['/search/pp/CURRENT_DOC_CHILDREN/execute', { queryParams: text }],
  (text) => ['/search/pp/default_document_suggestion/execute', { queryParams: text }],
  (text) => ['/search/pp/DEFAULT_DOCUMENT_SUGGESTION/execute', { queryParams: text }],
  (text) => ['/search/pp/nxql_search/execute', { queryParams: text }],
  (text) => ['/search/pp/user_collections/execute', { searchTerm: text }],
  (text) => ['/search/pp/user_shared_documents/execute', { queryParams: text }],
  (text) => [`/search/pp/${encodeURIComponent(text.toWellFormed())}/execute`, {}],
  (text) => [`/search/lang/${encodeURIComponent(text.toWellFormed())}/execute`, { query: all }],
  (text) => ['/search/saved', { pageProvider: text }],
  (text) => [`/path${workspaces}/@search`, { fullText: text, orderBy: 'dc:title' }],
  (text) => [`/path${workspaces}/@search`, { fullText: 'a', orderBy: text }],
  (text) => [`/path${workspaces}/@children`, { sortBy: text }],
  (text) => [`/path${workspaces}/@pp/default_content_collection`, { queryParams: text }],
]

const toleratedMilliseconds = 10_000

/** Titles lose characters that no text can hold, or that nobody sees. */
const isKept = (title: string) => !/[\0\ud800\ufeff]/.test(title)

onEachServer('whatever text a search is given', (server, engine) => {
  const bench = workbenchOn(server)
  let secret: Answered
  let tables: string

  const search = (user: string, path: string, parameters: Record<string, string>) =>
    server.as(user).get(`${path}?${new URLSearchParams(parameters)}`)

  async function everything(): Promise<string> {
    const answer = await server.as('Administrator').get('/search/execute?pageSize=1000', { properties: '*' })
    return JSON.stringify(requireStatus(200, answer).entries)
  }

  before(async () => {
    await server.addUser('eve', ['members'])
    for (const [index, title] of hostileTexts.entries()) {
      if (isKept(title)) await bench.create('File', { 'dc:title': title }, { name: `hostile-${index}` })
    }
    secret = await bench.create('File', { 'dc:title': 'the secret plans', 'dc:source': 'a' }, { name: 'secret' })
    await bench.restrict(secret.uid, grant('Administrator', 'Everything'))
    tables = await everything()
  })

  /** A list without what eve may not see, or a refusal that says why; and never a failure. */
  function requireHarmless({ status, text, body }: ApiAnswer, what: string): void {
    assert.ok([200, 400, 404].includes(status), `${what} is answered with ${status}: ${text.slice(0, 300)}`)
    if (status === 200) assert.ok(!text.includes(secret.uid), `${what} leaks`)
    else assert.equal(body['entity-type'], 'exception', `${what} is refused with a reason`)
    assert.ok(
      !/sqlite|postgres|syntax error at|no such column|near "/i.test(body?.message ?? ''),
      `${what} shows ${body?.message}`,
    )
  }

  const forEachText = (turn: number, body: (text: string) => Promise<void>) =>
    Promise.all(shareOf(engine, hostileTexts, turn).map(body))

  describe('as a literal', () => {
    for (const [turn, place] of literalPlaces.entries()) {
      test(`it is a value and no more: ${place('…')}`, async () => {
        const started = performance.now()
        await forEachText(turn, async (text) => {
          const query = `${all} WHERE ${place(quoted(text))}`
          requireHarmless(await search('eve', '/search/execute', { query }), query.slice(0, 200))
        })
        assert.ok(performance.now() - started < toleratedMilliseconds)
      })
    }

    test('it finds the document that has it as title, and only that', async () => {
      for (const [index, text] of hostileTexts.entries()) {
        if (!isKept(text)) continue
        const query = `${all} WHERE dc:title = ${quoted(text)}`
        const { entries } = requireStatus(200, await search('eve', '/search/execute', { query }))
        const names = entries.map(({ path }: { path: string }) => path.split('/').at(-1))
        assert.deepEqual(names, [`hostile-${index}`], text.slice(0, 80))
      }
    })
  })

  describe('as a part of a query', () => {
    for (const [turn, place] of rawPlaces.entries()) {
      test(`it is understood or refused: ${place('…')}`, async () => {
        await forEachText(turn, async (text) => {
          const query = place(text)
          requireHarmless(await search('eve', '/search/execute', { query }), query.slice(0, 200))
        })
      })
    }
  })

  describe('as a parameter', () => {
    for (const [turn, place] of requestPlaces.entries()) {
      const [path, parameters] = place('…')
      test(`it is a value or refused: ${path} ${Object.keys(parameters).join(', ')}`, async () => {
        await forEachText(turn, async (text) => {
          const [address, sent] = place(text)
          requireHarmless(await search('eve', address, sent), `${address} ${JSON.stringify(sent).slice(0, 200)}`)
        })
      })
    }

    test('it finds the document that has it as title when it fills a pattern', async () => {
      for (const [index, text] of hostileTexts.entries()) {
        if (!isKept(text) || text.startsWith('$current')) continue
        // A named parameter that is a list of JSON is a list, and one is looked for without the blanks around it.
        const isNamed = !text.startsWith('[') && text === text.trim()
        for (const [query, name] of [
          [`${all} WHERE dc:title = ?`, 'queryParams'],
          ...(isNamed ? ([[`${all} WHERE dc:title = :wanted`, 'wanted']] as const) : []),
        ] as const) {
          const { entries } = requireStatus(200, await search('eve', '/search/execute', { query, [name]: text }))
          const names = entries.map(({ path }: { path: string }) => path.split('/').at(-1))
          assert.deepEqual(names, [`hostile-${index}`], `${name} ${text.slice(0, 80)}`)
        }
      }
    })
  })

  test('it has changed no document in the end', async () => assert.equal(await everything(), tables))
})
