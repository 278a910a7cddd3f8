import assert from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findClaims, isAddressedTo, isTimely, mayBeJwt, parseClaims, signJwt } from './jwt.ts'

const rules = { secret: 'topsecret', issuer: 'platform' }
const encoded = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token as a partner makes it, with whatever is to be wrong about it. */
function aToken(claims: unknown, { alg = 'HS512', digest = 'sha512', secret = 'topsecret' } = {}): string {
  const signed = `${encoded({ typ: 'JWT', alg })}.${encoded(claims)}`
  return `${signed}.${createHmac(digest, secret).update(signed).digest('base64url')}`
}

const alice = { iss: 'platform', sub: 'alice' }

describe('a JWT', () => {
  test('of the contract is signed as it says', async () => {
    const claims = { ...alice, exp: 4102444800 }
    const signature = 'G17tFlOiqIxUwg-Lz-qXsXsbpRUN8NVWuVJEkb6Zh5mg1n6ODGkUUdXX9VPw_M6pYNlFAsjjI0UqWc41iyajEA'
    const token = `${encoded('{"typ":"JWT","alg":"HS512"}')}.${encoded(claims)}.${signature}`
    assert.equal(aToken(claims), token)
    assert.deepEqual(await findClaims(rules, token), { subject: 'alice', expires: 4102444800 })
    assert.equal(await signJwt(rules, { subject: 'alice', expires: 4102444800, others: {} }), token)
  })
  test('needs neither an end nor anything else but its issuer and its user', async () => {
    assert.deepEqual(await findClaims(rules, aToken(alice)), { subject: 'alice' })
  })
  test('cannot be given another issuer, user or end by the claims beside them', async () => {
    const others = { iss: 'me', sub: 'Administrator', exp: 1, role: 'x' }
    const claims = await findClaims(rules, await signJwt(rules, { subject: 'alice', expires: 2_000_000_000, others }))
    assert.deepEqual(claims, { subject: 'alice', expires: 2_000_000_000 })
  })

  const forged: { readonly [what: string]: string } = {
    'signed with another secret': aToken(alice, { secret: 'guessed' }),
    'by another issuer': aToken({ ...alice, iss: 'nuxeo' }),
    'without an issuer': aToken({ sub: 'alice' }),
    'without a user': aToken({ iss: 'platform' }),
    'for a user without a name': aToken({ ...alice, sub: '' }),
    'for a user that is no text': aToken({ ...alice, sub: 7 }),
    'for several audiences': aToken({ ...alice, aud: ['api'] }),
    'for an audience that is null': aToken({ ...alice, aud: null }),
    'with an end that is no number': aToken({ ...alice, exp: '2100-01-01' }),
    'with a beginning that is no number': aToken({ ...alice, nbf: 'now' }),
    'that says nothing': aToken('null'),
    'that says a list': aToken([alice]),
    'that is no JSON': aToken('{"iss":"platform"'),
    'signed by HS256': aToken(alice, { alg: 'HS256', digest: 'sha256' }),
    'signed by HS384': aToken(alice, { alg: 'HS384', digest: 'sha384' }),
    'that names one algorithm and uses another': aToken(alice, { alg: 'HS512', digest: 'sha256' }),
    'with the algorithm none': `${encoded({ alg: 'none' })}.${encoded(alice)}.`,
    'with the algorithm none and a signature': aToken(alice, { alg: 'none' }),
    'with the algorithm None': aToken(alice, { alg: 'None' }),
    'without its signature': aToken(alice).replace(/[^.]+$/, ''),
    'that was tampered with': aToken(alice).replace(/\.[^.]+\./, `.${encoded({ ...alice, sub: 'Administrator' })}.`),
    'with a fourth part': `${aToken(alice)}.x`,
    'with blanks': ` ${aToken(alice)}`,
    'of 9,000 characters': aToken({ ...alice, note: 'x'.repeat(9_000) }),
    'that is empty': '',
  }
  for (const [what, token] of Object.entries(forged)) {
    test(`${what} is none`, async () => assert.equal(await findClaims(rules, token), undefined))
  }
  test('that understands more than we do is none', async () => {
    const signed = `${encoded({ alg: 'HS512', crit: ['pwned'], pwned: true })}.${encoded(alice)}`
    const signature = createHmac('sha512', 'topsecret').update(signed).digest('base64url')
    assert.equal(await findClaims(rules, `${signed}.${signature}`), undefined)
  })
  test('signed with a private key is none, also where its public key is the secret', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const signed = `${encoded({ alg: 'RS512' })}.${encoded(alice)}`
    const token = `${signed}.${createSign('RSA-SHA512').update(signed).sign(privateKey, 'base64url')}`
    assert.equal(await findClaims({ ...rules, secret: pem }, token), undefined)
  })
  test('is none where no secret is set, whatever it was signed with', async () => {
    for (const secret of ['', ' ', '\n\t'])
      assert.equal(await findClaims({ ...rules, secret }, aToken(alice, { secret })), undefined)
  })
  test('is none once any of its characters is changed', async () => {
    const token = aToken({ ...alice, aud: 'api/v1' })
    const place = fc.nat({ max: token.length - 1 })
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom('A', 'b', '0', '_', '-', '.', '=', '~'), async (at, letter) => {
        fc.pre(token[at] !== letter)
        const changed = token.slice(0, at) + letter + token.slice(at + 1)
        // The last character has bits to spare: those that decode to the same bytes are the same signature.
        fc.pre(
          Buffer.from(changed.split('.')[2] ?? '', 'base64url').compare(Buffer.from(token.split('.')[2] ?? '', 'base64url')) !==
            0,
        )
        assert.equal(await findClaims(rules, changed), undefined)
      }),
      { numRuns: 60 },
    )
  })
  test('is looked for only where there are three parts of a bounded length', () => {
    assert.ok(mayBeJwt('a.b.c'))
    for (const text of ['', 'a', 'a.b', 'a..c', '.b.c', 'a.b.', 'a.b.c.d', 'ä.b.c', `a.b.${'c'.repeat(8_192)}`])
      assert.ok(!mayBeJwt(text))
  })
  test('may say anything at all without more than a refusal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const claims = parseClaims('platform', Buffer.from(text))
        assert.ok(claims === undefined || typeof claims.subject === 'string')
      }),
    )
  })
})

describe('the time of a JWT', () => {
  const now = 1_700_000_000
  const at = (claims: object) => isTimely({ subject: 'alice', ...claims }, now * 1000 + 500)
  test('ends with the second that it names', () => {
    assert.deepEqual([at({ expires: now + 1 }), at({ expires: now }), at({ expires: now - 1 })], [true, false, false])
  })
  test('begins with the second that it names', () => {
    assert.deepEqual([at({ notBefore: now }), at({ notBefore: now + 1 })], [true, false])
    assert.deepEqual([at({ issuedAt: now }), at({ issuedAt: now + 1 })], [true, false])
  })
  test('is always where it names none', () => assert.ok(at({})))
})

describe('the audience of a JWT', () => {
  const isFor = (audience: string, path: string) => isAddressedTo({ subject: 'alice', audience }, path)
  test('is the path itself and all below it', () => {
    assert.ok(isFor('api/v1/me', '/api/v1/me'))
    assert.ok(isFor('api/v1', '/api/v1/me'))
    assert.ok(!isFor('api/v1/me', '/api/v1/menu'))
    assert.ok(!isFor('api/v1/me', '/api/v1'))
    assert.ok(!isFor('api/v1/me', '/site/api/v1/me'))
  })
  test('may have slashes around it', () => assert.ok(isFor('//api/v1//', '/api/v1/me')))
  test('that is empty is no path of the API', () => {
    assert.ok(!isFor('', '/api/v1/me'))
    assert.ok(!isFor('/', '/api/v1/me'))
  })
  test('of nothing but slashes is read in one pass', () => assert.ok(!isFor('/'.repeat(8_000), '/api/v1')))
  test('is everything where none is named', () => assert.ok(isAddressedTo({ subject: 'alice' }, '/anything')))
})
