import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import sql from 'sql-template-tag'
import notificationEndpoints from '../../src/features/notification-endpoints/index.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { onEachServer } from '../support/servers.ts'

const region = 'projects/acme-ops/regions/us-east1'
const endpoint = (name: string, more: object = {}) => ({ name, grpcSettings: { endpoint: 'notify.example:8443', ...more } })

onEachServer('notification endpoints', (server) => {
  const json = { 'content-type': 'application/json' }
  const call = (method: string, path: string, body?: unknown, user = 'Administrator') =>
    server.as(user).call(method, path, body === undefined ? {} : { headers: json, body: JSON.stringify(body) })
  const compute = (method: string, path: string, body?: unknown, user?: string) => call(method, `compute/v1/${path}`, body, user)
  const seed = (method: string, path: string, body?: unknown, user?: string) => call(method, `api/v1/${path}`, body, user)
  const insert = (name: string, scope = region, more: object = {}) =>
    compute('POST', `${scope}/notificationEndpoints`, endpoint(name, more))
  const at = (name: string, scope = region) => `${scope}/notificationEndpoints/${name}`

  function assertError(answer: ApiAnswer, code: number, status: string | undefined, reason: string | undefined): void {
    assert.equal(answer.status, code, answer.text)
    const { error } = answer.body
    assert.deepEqual([error.code, error.status, error.errors[0].reason], [code, status, reason])
    assert.equal(error.errors[0].message, error.message)
    assert.equal(error.errors[0].domain, 'global')
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=UTF-8')
  }

  before(() => server.addUser('reader'))

  describe('are inserted', () => {
    test('with an operation for an answer, and are then there', async () => {
      const { status, body, headers } = await insert('hc-whole', region, {
        retryDurationSec: 60,
        authority: 'notify.example.org',
        payloadName: 'acme/ops',
        resendInterval: '900s',
      })
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8')
      const base = `${server.url}compute/v1/${region}`
      assert.deepEqual(Object.keys(body), [
        'kind',
        'id',
        'name',
        'operationType',
        'targetLink',
        'targetId',
        'status',
        'user',
        'progress',
        'insertTime',
        'startTime',
        'endTime',
        'region',
        'selfLink',
      ])
      assert.match(body.name, /^operation-\d{13}-[0-9a-f]{4}-[0-9a-f]{8}$/)
      assert.deepEqual(
        [body.kind, body.operationType, body.status, body.progress, body.user],
        ['compute#operation', 'insert', 'DONE', 100, 'Administrator'],
      )
      assert.deepEqual([body.region, body.selfLink], [base, `${base}/operations/${body.name}`])
      const got = await compute('GET', at('hc-whole'))
      assert.deepEqual(got.body, {
        kind: 'compute#notificationEndpoint',
        id: body.targetId,
        creationTimestamp: got.body.creationTimestamp,
        name: 'hc-whole',
        region: base,
        grpcSettings: {
          endpoint: 'notify.example:8443',
          retryDurationSec: 60,
          authority: 'notify.example.org',
          payloadName: 'acme/ops',
          resendInterval: { seconds: '900' },
        },
        selfLink: `${base}/notificationEndpoints/hc-whole`,
      })
      assert.match(got.body.id, /^\d{15,19}$/)
      assert.match(got.body.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(got.body.selfLink, body.targetLink)
      assert.deepEqual((await compute('GET', at(body.targetId))).body, got.body)
    })

    test('by administrators only, and read by everybody who has signed in', async () => {
      await insert('hc-rights')
      assertError(
        await compute('POST', `${region}/notificationEndpoints`, endpoint('x'), 'reader'),
        403,
        'PERMISSION_DENIED',
        'forbidden',
      )
      assertError(await compute('DELETE', at('hc-rights'), undefined, 'reader'), 403, 'PERMISSION_DENIED', 'forbidden')
      assert.equal((await compute('GET', at('hc-rights'), undefined, 'reader')).status, 200)
      assert.equal((await compute('GET', `${region}/operations`, undefined, 'reader')).status, 200)
    })

    test('by nobody without credentials, at either mount', async () => {
      for (const mount of ['compute/v1', 'api/v1']) {
        const response = await fetch(`${server.url}${mount}/${at('hc-rights')}`)
        assert.equal(response.status, 401)
        const { error } = (await response.json()) as { error: { status: string; errors: { reason: string }[] } }
        assert.deepEqual([error.status, error.errors[0]?.reason], ['UNAUTHENTICATED', 'required'])
      }
    })

    test('once under a name in a region, and again elsewhere', async () => {
      await insert('hc-twice')
      assertError(await insert('hc-twice'), 409, 'ALREADY_EXISTS', 'alreadyExists')
      assert.equal((await insert('hc-twice', 'projects/acme-ops/regions/us-west1')).status, 200)
      assert.equal((await insert('hc-twice', 'projects/other-project/regions/us-east1')).status, 200)
    })

    test('by one of many who try the same name at once', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => insert('hc-race')))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)])
    })

    test('or refused with an entry for each fault', async () => {
      const answer = await compute('POST', `${region}/notificationEndpoints?requestId=x`, { colour: 1, grpcSettings: {} })
      assertError(answer, 400, 'INVALID_ARGUMENT', 'invalid')
      assert.deepEqual(
        answer.body.error.errors.map(({ reason, location }: { reason: string; location?: string }) => [reason, location]),
        [
          ['invalid', undefined],
          ['required', undefined],
          ['required', undefined],
          ['invalid', 'requestId'],
        ],
      )
    })

    test('or refused when the body is no JSON object, too large or of another type', async () => {
      const post = (body: string, contentType = 'application/json') =>
        server.as('Administrator').call('POST', `compute/v1/${region}/notificationEndpoints`, {
          headers: { 'content-type': contentType },
          body,
        })
      assertError(await post('{'), 400, 'INVALID_ARGUMENT', 'parseError')
      assertError(await post('[]'), 400, 'INVALID_ARGUMENT', 'parseError')
      assertError(await post('null'), 400, 'INVALID_ARGUMENT', 'parseError')
      assertError(await post(`{"name":"${'a'.repeat(70_000)}"}`), 413, 'INVALID_ARGUMENT', undefined)
      assertError(await post('<a/>', 'text/xml'), 415, 'INVALID_ARGUMENT', undefined)
      assertError(await post(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`), 400, 'INVALID_ARGUMENT', 'invalid')
    })
  })

  test('keep what is said of them, and have their region from the address alone', async () => {
    const sent = { ...endpoint('hc-described'), description: 'ops receiver', region: 'elsewhere', id: '7', kind: 'x' }
    assert.equal((await compute('POST', `${region}/notificationEndpoints`, sent)).status, 200)
    const { body } = await compute('GET', at('hc-described'))
    assert.deepEqual([body.description, body.kind], ['ops receiver', 'compute#notificationEndpoint'])
    assert.equal(body.region, `${server.url}compute/v1/${region}`)
    assert.notEqual(body.id, '7')
    assert.deepEqual(body.grpcSettings, { endpoint: 'notify.example:8443', retryDurationSec: 30 })
  })

  describe('at both mounts', () => {
    test('are the same, each in its own spelling unless told otherwise', async () => {
      const { body } = await seed('POST', `${region}/notificationEndpoints`, {
        name: 'hc-snake',
        grpc_settings: { endpoint: 'h', retry_duration_sec: 5 },
      })
      assert.equal(body.target_link, `${server.url}api/v1/${at('hc-snake')}`)
      const snake = (await seed('GET', at('hc-snake'))).body
      assert.deepEqual(snake.grpc_settings, { endpoint: 'h', retry_duration_sec: 5 })
      assert.equal(snake.self_link, body.target_link)
      assert.match(snake.creation_timestamp, /Z$/)
      assert.deepEqual((await compute('GET', at('hc-snake'))).body.grpcSettings, { endpoint: 'h', retryDurationSec: 5 })
      assert.equal((await compute('GET', `${at('hc-snake')}?fieldNames=snake`)).body.grpc_settings.retry_duration_sec, 5)
      assert.equal((await seed('GET', `${at('hc-snake')}?fieldNames=camel`)).body.grpcSettings.retryDurationSec, 5)
      assertError(await seed('GET', `${at('hc-snake')}?fieldNames=kebab`), 400, 'INVALID_ARGUMENT', 'invalid')
    })

    test('leave an empty list out, or show it', async () => {
      const scope = 'projects/empty-one/regions/us-east1/notificationEndpoints'
      assert.deepEqual((await compute('GET', scope)).body, {
        kind: 'compute#notificationEndpointList',
        id: scope,
        selfLink: `${server.url}compute/v1/${scope}`,
      })
      assert.deepEqual((await seed('GET', scope)).body.items, [])
    })

    test('do not change with the repository', async () => {
      await insert('hc-everywhere')
      const answer = await server.as('Administrator').call('GET', `api/v1/repo/default/${at('hc-everywhere')}`)
      assert.equal(answer.status, 200)
    })
  })

  test('may say the same in both spellings, in whichever order', async () => {
    const sent = {
      ...endpoint('hc-both-ways'),
      grpcSettings: { endpoint: 'h', retryDurationSec: 5 },
      grpc_settings: { retry_duration_sec: 5, endpoint: 'h' },
    }
    assert.equal((await compute('POST', `${region}/notificationEndpoints`, sent)).status, 200)
    const other = { ...sent, name: 'hc-other', grpc_settings: { retry_duration_sec: 6, endpoint: 'h' } }
    assertError(await compute('POST', `${region}/notificationEndpoints`, other), 400, 'INVALID_ARGUMENT', 'invalid')
  })

  describe('are refused', () => {
    test('with fields that every object has and no endpoint does', async () => {
      for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
        const body = { name: 'hc-odd', grpcSettings: { endpoint: 'h' }, [name]: 1 }
        const answer = await compute('POST', `${region}/notificationEndpoints`, body)
        assertError(answer, 400, 'INVALID_ARGUMENT', 'invalid')
        assert.equal(answer.body.error.message, `Unknown name "${name}" at 'resource': Cannot find field.`)
        for (const query of [`filter=${name}:*`, `filter=${name}%3Dx`, `fields=${name}`, `fields=items(${name})`]) {
          const listed = await compute('GET', `${region}/notificationEndpoints?${query}`)
          assertError(listed, 400, 'INVALID_ARGUMENT', 'invalid')
        }
      }
    })

    test('in regions and projects that there cannot be', async () => {
      for (const [method, path] of [
        ['GET', 'notificationEndpoints'],
        ['GET', 'notificationEndpoints/a'],
        ['DELETE', 'notificationEndpoints/a'],
        ['GET', 'operations'],
      ] as const) {
        assertError(await compute(method, `projects/acme-ops/regions/mars-1/${path}`), 404, 'NOT_FOUND', 'notFound')
        assertError(await compute(method, `projects/A/regions/us-east1/${path}`), 400, 'INVALID_ARGUMENT', 'invalid')
      }
      assertError(await insert('x', 'projects/acme-ops/regions/mars-1'), 404, 'NOT_FOUND', 'notFound')
      assert.equal((await compute('GET', 'projects/123456/regions/us-east1/notificationEndpoints')).status, 200)
    })

    test('when there is none of the name, which the message says', async () => {
      const answer = await compute('GET', at('nope'))
      assertError(answer, 404, 'NOT_FOUND', 'notFound')
      assert.equal(answer.body.error.message, `The resource '${at('nope')}' was not found`)
      assertError(await compute('DELETE', at('nope')), 404, 'NOT_FOUND', 'notFound')
      assertError(await compute('GET', at('%00')), 404, 'NOT_FOUND', 'notFound')
    })

    test('at addresses that the API does not have, in its own form', async () => {
      for (const path of [
        'projects',
        'projects/acme-ops',
        'projects/acme-ops/nosuch',
        'projects/acme-ops/regions',
        region,
        `${at('a')}/b`,
        `${at('a')}/@acl`,
      ])
        for (const mount of ['compute/v1', 'api/v1'])
          for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
            assertError(await call(method, `${mount}/${path}`, undefined, 'reader'), 404, 'NOT_FOUND', 'notFound')
      const unsigned = await fetch(`${server.url}api/v1/${region}`)
      assert.equal(unsigned.status, 401)
      assert.deepEqual(Object.keys((await unsigned.json()) as object), ['error'])
      const other = await seed('GET', 'user/nobody/nothing/there')
      assert.deepEqual([other.status, other.body['entity-type']], [404, 'exception'])
    })

    test('by methods that the API does not have', async () => {
      for (const method of ['PUT', 'PATCH']) {
        const answer = await compute(method, at('hc-whole'), endpoint('hc-whole'))
        assertError(answer, 405, undefined, 'httpMethodNotAllowed')
        assert.match(answer.headers.get('allow') ?? '', /GET/)
      }
      for (const [method, path] of [
        ['PUT', `${region}/notificationEndpoints`],
        ['POST', at('hc-whole')],
        ['DELETE', 'projects/acme-ops/aggregated/notificationEndpoints'],
        ['POST', `${region}/operations`],
      ] as const)
        assertError(await compute(method, path), 405, undefined, 'httpMethodNotAllowed')
    })
  })

  describe('that are removed', () => {
    test('are gone, their names are free and their ids are not used again', async () => {
      const first = (await insert('hc-gone')).body.targetId
      const { body } = await compute('DELETE', at('hc-gone'))
      assert.deepEqual([body.operationType, body.status, body.targetId], ['delete', 'DONE', first])
      assertError(await compute('GET', at('hc-gone')), 404, 'NOT_FOUND', 'notFound')
      assertError(await compute('GET', at(first)), 404, 'NOT_FOUND', 'notFound')
      assert.notEqual((await insert('hc-gone')).body.targetId, first)
      assert.equal((await compute('DELETE', at((await compute('GET', at('hc-gone'))).body.id))).status, 200)
    })

    test('by many at once are removed once', async () => {
      await insert('hc-removed-once')
      const answers = await Promise.all(Array.from({ length: 6 }, () => compute('DELETE', at('hc-removed-once'))))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(5).fill(404)])
    })
  })

  describe('whose request has an id', () => {
    const path = (id: string, scope = region) => `${scope}/notificationEndpoints?requestId=${id}`

    test('are inserted once however often it is sent', async () => {
      const id = randomUUID()
      const answers = await Promise.all(Array.from({ length: 6 }, () => compute('POST', path(id), endpoint('hc-idempotent'))))
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.equal(new Set(answers.map(({ body }) => body.name)).size, 1)
      const again = await seed(
        'POST',
        `${region}/notificationEndpoints?request_id=${id.toUpperCase()}`,
        endpoint('hc-idempotent'),
      )
      assert.equal(again.body.name, answers[0]?.body.name)
    })

    test('are removed once, and the second time is answered as the first', async () => {
      const id = randomUUID()
      await insert('hc-idempotent-end')
      const first = await compute('DELETE', `${at('hc-idempotent-end')}?requestId=${id}`)
      const second = await compute('DELETE', `${at('hc-idempotent-end')}?requestId=${id}`)
      assert.deepEqual([second.status, second.body.name], [200, first.body.name])
    })

    test('are removed once however often it is sent at once', async () => {
      for (let round = 0; round < 10; round++) {
        const [id, name] = [randomUUID(), `hc-at-once-${round}`]
        await insert(name)
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, index) => wait(index).then(() => compute('DELETE', `${at(name)}?requestId=${id}`))),
        )
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
        assert.equal(new Set(answers.map(({ body }) => body.name)).size, 1)
      }
    })

    test('are not inserted again once their operation was forgotten', async () => {
      const id = randomUUID()
      const { body } = await compute('POST', path(id), endpoint('hc-forgotten'))
      assert.equal((await compute('DELETE', `${region}/operations/${body.name}`)).status, 204)
      assertError(await compute('GET', `${region}/operations/${body.name}`), 404, 'NOT_FOUND', 'notFound')
      assertError(await compute('DELETE', `${region}/operations/${body.name}`), 404, 'NOT_FOUND', 'notFound')
      const listed = (await compute('GET', `${region}/operations?maxResults=500`)).body.items
      assert.ok(!listed.some(({ name }: { name: string }) => name === body.name))
      await compute('DELETE', at('hc-forgotten'))
      const again = await compute('POST', path(id), endpoint('hc-forgotten'))
      assert.deepEqual([again.status, again.body.name], [200, body.name])
      assertError(await compute('GET', at('hc-forgotten')), 404, 'NOT_FOUND', 'notFound')
    })

    test('are refused when the same id asks for something else', async () => {
      const id = randomUUID()
      assert.equal((await compute('POST', path(id), endpoint('hc-once'))).status, 200)
      assertError(await compute('POST', path(id), endpoint('hc-other')), 400, 'INVALID_ARGUMENT', 'invalid')
      assertError(await compute('DELETE', `${at('hc-once')}?requestId=${id}`), 400, 'INVALID_ARGUMENT', 'invalid')
    })

    test('are not remembered when they were refused', async () => {
      const id = randomUUID()
      await insert('hc-taken')
      assertError(await compute('POST', path(id), endpoint('hc-taken')), 409, 'ALREADY_EXISTS', 'alreadyExists')
      await compute('DELETE', at('hc-taken'))
      assert.equal((await compute('POST', path(id), endpoint('hc-taken'))).status, 200)
    })

    test('are done again once it is an hour old', async () => {
      const id = randomUUID()
      const first = (await compute('POST', path(id), endpoint('hc-hour'))).body
      const age = (minutes: number) =>
        server.asSystem(({ tx }) =>
          tx.tables.run(sql`
            UPDATE notification_endpoints_operations SET inserted = ${new Date(Date.now() - minutes * 60_000).toISOString()}
             WHERE id = ${first.id}`),
        )
      await age(59)
      assert.equal((await compute('POST', path(id), endpoint('hc-hour'))).body.id, first.id)
      await age(61)
      assertError(await compute('POST', path(id), endpoint('hc-hour')), 409, 'ALREADY_EXISTS', 'alreadyExists')
      const other = await compute('POST', path(id), endpoint('hc-next-hour'))
      assert.equal(other.status, 200)
      assert.equal((await compute('POST', path(id), endpoint('hc-next-hour'))).body.id, other.body.id)
    })

    test('are refused when it is no UUID, or nothing but zeros', async () => {
      for (const id of ['abc', '00000000-0000-0000-0000-000000000000']) {
        const answer = await compute('POST', path(id), endpoint('hc-no-id'))
        assertError(answer, 400, 'INVALID_ARGUMENT', 'invalid')
        assert.deepEqual(
          [answer.body.error.errors[0].locationType, answer.body.error.errors[0].location],
          ['parameter', 'requestId'],
        )
      }
    })
  })

  describe('in lists', () => {
    const scope = 'projects/listed-ones/regions/us-east1'
    const list = (query = '') => compute('GET', `${scope}/notificationEndpoints${query}`)
    const namesIn = ({ body }: ApiAnswer): readonly string[] => (body.items ?? []).map(({ name }: { name: string }) => name)

    before(async () => {
      for (const name of ['c', 'a', 'e', 'b', 'd']) await insert(name, scope, { retryDurationSec: name === 'e' ? 100 : 10 })
    })

    test('come by name unless another order is asked for', async () => {
      assert.deepEqual(namesIn(await list()), ['a', 'b', 'c', 'd', 'e'])
      assert.deepEqual(namesIn(await list('?orderBy=name')), ['a', 'b', 'c', 'd', 'e'])
      const newest = namesIn(await list('?orderBy=creationTimestamp%20desc'))
      assert.deepEqual(newest.toSorted(), ['a', 'b', 'c', 'd', 'e'])
      assert.deepEqual(namesIn(await list('?order_by=creation_timestamp%20asc')), newest.toReversed())
      for (const order of ['size', 'name desc', 'creationTimestamp'])
        assertError(await list(`?orderBy=${encodeURIComponent(order)}`), 400, 'INVALID_ARGUMENT', 'invalid')
    })

    test('come in pages that neither repeat nor miss any while others are inserted', async () => {
      const first = await list('?maxResults=2')
      assert.deepEqual(namesIn(first), ['a', 'b'])
      await insert('aa', scope)
      await insert('cc', scope)
      const second = await list(`?maxResults=2&pageToken=${first.body.nextPageToken}`)
      assert.deepEqual(namesIn(second), ['c', 'cc'])
      const last = await list(`?max_results=9&page_token=${second.body.nextPageToken}`)
      assert.deepEqual([namesIn(last), last.body.nextPageToken], [['d', 'e'], undefined])
      await compute('DELETE', at('aa', scope))
      await compute('DELETE', at('cc', scope))
    })

    test('are refused with a token of another question, or none of ours', async () => {
      const { nextPageToken } = (await list('?maxResults=2')).body
      for (const query of [
        `filter=name:a&pageToken=${nextPageToken}`,
        `orderBy=creationTimestamp%20desc&pageToken=${nextPageToken}`,
        'pageToken=garbled',
        `pageToken=${nextPageToken}x`.replace('pageToken=', 'pageToken=A'),
      ]) {
        const answer = await list(`?${query}`)
        assertError(answer, 400, 'INVALID_ARGUMENT', 'invalid')
        assert.equal(answer.body.error.errors[0].location, 'pageToken')
      }
      const elsewhere = await compute(
        'GET',
        `projects/other-one/regions/us-east1/notificationEndpoints?pageToken=${nextPageToken}`,
      )
      assertError(elsewhere, 400, 'INVALID_ARGUMENT', 'invalid')
    })

    test('are at most 500, and 0 is as many', async () => {
      assert.equal(namesIn(await list('?maxResults=0')).length, 5)
      assert.equal(namesIn(await list('?maxResults=500')).length, 5)
      for (const count of ['501', '-1', '1.5', 'many']) {
        const answer = await list(`?maxResults=${count}`)
        assertError(answer, 400, 'INVALID_ARGUMENT', 'invalidParameter')
        assert.equal(answer.body.error.errors[0].location, 'maxResults')
      }
    })

    test('are those that a filter lets through, over all pages', async () => {
      const filtered = (filter: string, more = '') => list(`?filter=${encodeURIComponent(filter)}${more}`)
      assert.deepEqual(namesIn(await filtered('grpcSettings.retryDurationSec > 50')), ['e'])
      assert.deepEqual(namesIn(await filtered('(name eq [b-d])(name ne c)')), ['b', 'd'])
      const first = await filtered('name > b', '&maxResults=2')
      assert.deepEqual(namesIn(first), ['c', 'd'])
      assert.deepEqual(namesIn(await filtered('name > b', `&maxResults=2&pageToken=${first.body.nextPageToken}`)), ['e'])
      const answer = await filtered('size > 5')
      assertError(answer, 400, 'INVALID_ARGUMENT', 'invalid')
      assert.match(answer.body.error.message, /'filter'/)
    })

    test('have the fields that are asked for', async () => {
      const { body } = await list('?fields=items(name,id),nextPageToken&maxResults=1')
      assert.deepEqual(Object.keys(body), ['items', 'nextPageToken'])
      assert.deepEqual(Object.keys(body.items[0]).toSorted(), ['id', 'name'])
      assert.deepEqual((await compute('GET', `${at('a', scope)}?fields=grpcSettings/endpoint`)).body, {
        grpcSettings: { endpoint: 'notify.example:8443' },
      })
      for (const fields of ['colour', 'items(colour)', 'items(', 'name(x)'])
        assertError(await list(`?fields=${encodeURIComponent(fields)}`), 400, 'INVALID_ARGUMENT', 'invalid')
    })

    test('take the common parameters and make nothing of them', async () => {
      assert.equal(
        (await list('?alt=json&prettyPrint=true&quotaUser=x&key=y&userIp=z&$.xgafv=2&returnPartialSuccess=true')).status,
        200,
      )
    })

    test('of all regions are by scope, with a warning for those without any', async () => {
      await insert('f', 'projects/listed-ones/regions/us-west1')
      const path = 'projects/listed-ones/aggregated/notificationEndpoints'
      const { body } = await compute('GET', path)
      assert.deepEqual([body.kind, body.id], ['compute#notificationEndpointAggregatedList', path])
      assert.equal(body.items['regions/us-east1'].resources.length, 5)
      assert.equal(body.items['regions/us-west1'].resources[0].name, 'f')
      assert.deepEqual(body.items['regions/asia-east1'], {
        warning: {
          code: 'NO_RESULTS_ON_PAGE',
          message: "There are no results for scope 'regions/asia-east1' on this page.",
          data: [{ key: 'scope', value: 'regions/asia-east1' }],
        },
      })
      assert.ok('global' in (await compute('GET', `${path}?includeAllScopes=true`)).body.items)
      const asked = `${path}?serviceProjectNumber=5&return_partial_success=true&orderBy=name&filter=${encodeURIComponent('name = f')}`
      const filtered = (await compute('GET', asked)).body
      assert.deepEqual([filtered.unreachables, filtered.items['regions/us-west1'].resources.length], [undefined, 1])
      assert.ok('warning' in filtered.items['regions/us-east1'])
      assert.equal((await seed('GET', path)).body.items['regions/us-west1'].resources[0].grpc_settings.retry_duration_sec, 30)
      const first = (await compute('GET', `${path}?maxResults=4`)).body
      const second = (await seed('GET', `${path}?maxResults=4&fieldNames=camel&pageToken=${first.nextPageToken}`)).body
      assert.deepEqual(Object.keys(second.items), ['regions/us-east1', 'regions/us-west1'])
      assert.equal(second.nextPageToken, undefined)
    })
  })

  describe('have operations', () => {
    const scope = 'projects/with-operations/regions/us-east1'

    test('that are found by name and id, awaited, listed, and forgotten', async () => {
      const { body } = await insert('op-a', scope)
      for (const name of [body.name, body.id]) assert.deepEqual((await compute('GET', `${scope}/operations/${name}`)).body, body)
      assert.deepEqual((await compute('POST', `${scope}/operations/${body.name}/wait`)).body, body)
      await compute('DELETE', at('op-a', scope))
      const listed = (await compute('GET', `${scope}/operations?filter=${encodeURIComponent('operationType = delete')}`)).body
      assert.deepEqual([listed.kind, listed.items.length, listed.items[0].targetId], ['compute#operationList', 1, body.targetId])
      assertError(
        await compute('DELETE', `${scope}/operations/${body.name}`, undefined, 'reader'),
        403,
        'PERMISSION_DENIED',
        'forbidden',
      )
      assert.equal((await compute('DELETE', `${scope}/operations/${body.name}`)).status, 204)
      assertError(await compute('GET', `${scope}/operations/${body.name}`), 404, 'NOT_FOUND', 'notFound')
    })

    test('of their own region, in pages and by age, and no others', async () => {
      const made: string[] = []
      for (const name of ['op-b', 'op-c', 'op-d']) made.push((await insert(name, scope)).body.name)
      const list = async (query: string) =>
        (await compute('GET', `${scope}/operations?filter=operationType%3Dinsert&${query}`)).body
      const first = await list('orderBy=creationTimestamp%20asc&maxResults=2')
      const second = await list(`orderBy=creationTimestamp%20asc&maxResults=2&pageToken=${first.nextPageToken}`)
      const named = [...first.items, ...second.items].map(({ name }: { name: string }) => name)
      assert.deepEqual([named.toSorted(), second.nextPageToken], [made.toSorted(), undefined])
      const elsewhere = `projects/with-operations/regions/us-west1/operations/${made[0]}`
      assertError(await compute('GET', elsewhere), 404, 'NOT_FOUND', 'notFound')
      assertError(await compute('POST', `${elsewhere}/wait`), 404, 'NOT_FOUND', 'notFound')
      assertError(await compute('DELETE', elsewhere), 404, 'NOT_FOUND', 'notFound')
      const snake = (await seed('GET', `${scope}/operations/${made[0]}`)).body
      assert.deepEqual([snake.operation_type, snake.self_link], ['insert', `${server.url}api/v1/${scope}/operations/${made[0]}`])
    })

    test('of which a project keeps the last ten thousand, for two weeks', async () => {
      const project = 'many-operations'
      const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()
      const add = (prefix: string, count: number, inserted: string) =>
        server.asSystem(({ tx }) =>
          tx.tables.run(sql`
            INSERT INTO notification_endpoints_operations
                   (id, project, region, name, type, target_name, target_id, user_name, inserted, ended)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
            SELECT ${prefix} || n, ${project}, ${'us-east1'}, ${prefix} || n, ${'insert'}, ${'x'}, ${'1'}, ${'ops'}, ${inserted}, ${inserted}
              FROM numbers`),
        )
      const count = () =>
        server.asSystem(async ({ tx }) =>
          Number(
            (await tx.tables.get(sql`SELECT count(*) FROM notification_endpoints_operations WHERE project = ${project}`))?.[0],
          ),
        )
      await add('old-', 30, daysAgo(3))
      await add('new-', 9_999, daysAgo(1))
      await insert('op-last', `projects/${project}/regions/us-east1`)
      assert.equal(await count(), 10_000)
      const left = await compute('GET', `projects/${project}/regions/us-east1/operations/old-1`)
      assertError(left, 404, 'NOT_FOUND', 'notFound')
      await add('older-', 5, daysAgo(15))
      const schedule = notificationEndpoints.schedules?.find(({ name }) => name === 'forgetComputeOperations')
      assert.ok(schedule && 'run' in schedule)
      await server.asSystem((session) => schedule.run(session, { since: session.now }))
      assert.equal(await count(), 10_000)
    })
  })
})

onEachServer(
  'notification endpoints of a small deployment',
  (server) => {
    const scope = 'compute/v1/projects/acme-ops/regions/mars-1'
    const insert = (name: string) =>
      server.as('Administrator').call('POST', `${scope}/notificationEndpoints`, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(endpoint(name)),
      })

    test('are in its regions, as many as its quota allows, and take their time', async () => {
      const answers = await Promise.all(['a', 'b', 'c', 'd'].map(insert))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 429, 429])
      const refused = answers.find(({ status }) => status === 429)
      assert.deepEqual(refused?.body.error.errors[0].reason, 'quotaExceeded')
      const accepted = answers.find(({ status }) => status === 200)?.body
      assert.deepEqual([accepted.status, accepted.endTime], ['RUNNING', undefined])
      assert.ok(accepted.progress < 100)
      const done = await server.as('Administrator').call('POST', `${scope}/operations/${accepted.name}/wait`)
      assert.deepEqual([done.body.status, done.body.progress], ['DONE', 100])
      const [, name] = /notificationEndpoints\/(.)$/.exec(accepted.targetLink) ?? []
      assert.equal((await server.as('Administrator').call('DELETE', `${scope}/notificationEndpoints/${name}`)).status, 200)
      assert.equal((await insert('e')).status, 200)
    })
  },
  { settings: { notificationRegions: ['mars-1'], notificationEndpointQuota: 2, notificationOperationTime: '300ms' } },
)
