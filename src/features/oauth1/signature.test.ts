import assert from 'node:assert/strict'
import { createSign, generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hmacSignature, isSigned, type Oauth1Parameter, percentEncode, signatureBase } from './signature.ts'

describe('the text that OAuth 1 signs', () => {
  test('is that of the example in RFC 5849, 3.4.1.1', () => {
    const base = signatureBase({
      method: 'POST',
      url: 'http://EXAMPLE.COM:80/request',
      parameters: [
        ['b5', '=%3D'],
        ['a3', 'a'],
        ['c@', ''],
        ['a2', 'r b'],
        ['oauth_consumer_key', '9djdj82h48djs9d2'],
        ['oauth_token', 'kkk9d7dh3k39sjv7'],
        ['oauth_signature_method', 'HMAC-SHA1'],
        ['oauth_timestamp', '137131201'],
        ['oauth_nonce', '7d8f3e4a'],
        ['oauth_signature', 'djosJKDKJSD8743243/jdk33klY='],
        ['c2', ''],
        ['a3', '2 q'],
      ],
    })
    assert.equal(
      base,
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D' +
        '%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1' +
        '%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
    )
  })
  test('names a port that does not go without saying', () => {
    const base = signatureBase({ method: 'get', url: 'https://www.example.net:8080/?q=1', parameters: [['q', '1']] })
    assert.equal(base, 'GET&https%3A%2F%2Fwww.example.net%3A8080%2F&q%3D1')
  })
  test('has the path as it was sent', () => {
    const base = signatureBase({ method: 'GET', url: 'https://A.example:443/x/../%7Ey/', parameters: [] })
    assert.equal(base, 'GET&https%3A%2F%2Fa.example%2Fx%2F..%2F%257Ey%2F&')
  })
  test('does not depend on the order of parameters', () => {
    const parameter = fc.tuple(fc.string(), fc.string()) as fc.Arbitrary<Oauth1Parameter>
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const content = { method: 'GET', url: 'https://a.example/x', parameters }
        assert.equal(signatureBase(content), signatureBase({ ...content, parameters: parameters.toReversed() }))
      }),
    )
  })
  test('differs when any parameter does', () => {
    const parameter = fc.tuple(fc.string({ minLength: 1 }), fc.string()) as fc.Arbitrary<Oauth1Parameter>
    fc.assert(
      fc.property(fc.array(parameter), parameter, (parameters, added) => {
        const content = { method: 'GET', url: 'https://a.example/x', parameters }
        assert.notEqual(signatureBase(content), signatureBase({ ...content, parameters: [...parameters, added] }))
      }),
    )
  })
  test('encodes all but letters, digits and four signs, and only once', () => {
    assert.equal(percentEncode("AZaz09-._~ !*'()/+☃"), 'AZaz09-._~%20%21%2A%27%28%29%2F%2B%E2%98%83')
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(decodeURIComponent(percentEncode(text)), text)))
    assert.equal(percentEncode('\ud800'), '%EF%BF%BD')
  })
})

describe('a signature of OAuth 1', () => {
  const keys = { consumerSecret: 'kd94hf93k423kf44', tokenSecret: 'pfkkdhi9sl3r4s00' }
  const content = {
    method: 'GET',
    url: 'http://photos.example.net/photos?file=vacation.jpg&size=original',
    parameters: [
      ['file', 'vacation.jpg'],
      ['size', 'original'],
      ['oauth_consumer_key', 'dpf43f3p2l4k3l03'],
      ['oauth_token', 'nnch734d00sl2jdk'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '1191242096'],
      ['oauth_nonce', 'kllo9940pd9333jh'],
      ['oauth_version', '1.0'],
    ] as const,
  }

  test('by HMAC-SHA1 is that of the published example', () => {
    assert.equal(hmacSignature(content, keys), 'tR3+Ty81lMeYAr/Fid0kMTYa/WM=')
    assert.ok(isSigned('HMAC-SHA1', 'tR3+Ty81lMeYAr/Fid0kMTYa/WM=', content, keys))
  })
  test('is none with another secret, method, address or parameter', () => {
    const signature = hmacSignature(content, keys)
    const isStillSigned = (changed: object, otherKeys: object = {}) =>
      isSigned('HMAC-SHA1', signature, { ...content, ...changed }, { ...keys, ...otherKeys })
    assert.ok(isStillSigned({}))
    assert.ok(!isStillSigned({ method: 'POST' }))
    assert.ok(!isStillSigned({ url: 'https://photos.example.net/photos' }))
    assert.ok(!isStillSigned({ url: 'http://photos.example.net/photos/' }))
    assert.ok(!isStillSigned({ parameters: content.parameters.slice(1) }))
    assert.ok(!isStillSigned({}, { consumerSecret: 'other' }))
    assert.ok(!isStillSigned({}, { tokenSecret: '' }))
  })
  test('in plain text is the two secrets, encoded', () => {
    const secrets = { consumerSecret: 'djr9rjt0jd78jf88', tokenSecret: 'jjd99$tj88uiths3' }
    assert.ok(isSigned('PLAINTEXT', 'djr9rjt0jd78jf88&jjd99%24tj88uiths3', content, secrets))
    assert.ok(!isSigned('PLAINTEXT', 'djr9rjt0jd78jf88&', content, secrets))
  })
  test('is never valid where there is no secret to sign with', () => {
    for (const tokenSecret of ['', 'known to the client']) {
      const none = { consumerSecret: '', tokenSecret }
      assert.ok(!isSigned('HMAC-SHA1', hmacSignature(content, none), content, none))
      assert.ok(!isSigned('PLAINTEXT', `&${percentEncode(tokenSecret)}`, content, none))
    }
  })

  test('by RSA-SHA1 is checked with the public key, and a secret does not stand in for it', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const signature = createSign('RSA-SHA1').update(signatureBase(content)).sign(privateKey, 'base64')
    const rsaKeys = { ...keys, publicKey: pem }
    assert.ok(isSigned('RSA-SHA1', signature, content, rsaKeys))
    assert.ok(!isSigned('RSA-SHA1', signature, { ...content, method: 'PUT' }, rsaKeys))
    assert.ok(!isSigned('RSA-SHA1', signature, content, keys))
    assert.ok(!isSigned('RSA-SHA1', hmacSignature(content, keys), content, rsaKeys))
    assert.ok(!isSigned('RSA-SHA1', signature, content, { ...keys, publicKey: 'no key at all' }))
    // The key is public: whoever signs with it as if it were the secret must not get in.
    const forged = hmacSignature(content, { consumerSecret: pem, tokenSecret: '' })
    assert.ok(!isSigned('HMAC-SHA1', forged, content, { consumerSecret: '', tokenSecret: '', publicKey: pem }))
  })
})
