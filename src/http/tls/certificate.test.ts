import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Log, LogFields } from '../../base/log.ts'
import { type Certificate, readCertificate, secureOptions } from './certificate.ts'
import { CertificateWatch } from './certificate-watch.ts'
import { encryptionOf, transportSecurityOf } from './encryption.ts'

const shelf = join(import.meta.dirname, '../../../test/support/tls')
const folder = mkdtempSync(join(tmpdir(), 'quire-certificate-'))
after(() => rmSync(folder, { recursive: true }))

const certificate = join(shelf, 'localhost.pem')
const key = join(shelf, 'localhost.key')

function written(name: string, text: string | Buffer): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const encryptedKey = written(
  'encrypted.key',
  createPrivateKey(readFileSync(key)).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'opens' }),
)
const otherKey = written(
  'other.key',
  generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: { type: 'pkcs8', format: 'pem' } } as never)
    .privateKey as unknown as string,
)

describe('a certificate', () => {
  test('is read with its key from two files, or from one', async () => {
    const both = written('both.pem', Buffer.concat([readFileSync(certificate), readFileSync(key)]))
    for (const files of [
      { certificate, key },
      { certificate: both, key: both },
    ]) {
      const { subject, validUntil } = await readCertificate({ ...files, passphrase: undefined })
      assert.equal(subject, 'CN=localhost')
      assert.ok(validUntil.getTime() > Date.now())
    }
  })

  test('is read with a key that is encrypted, by its passphrase', async () => {
    const read = await readCertificate({ certificate, key: encryptedKey, passphrase: 'opens' })
    assert.ok(secureOptions(read, { minVersion: 'TLSv1.2' }).passphrase)
  })

  const mistakes = [
    ['a file that is not there', { certificate: join(folder, 'none.pem'), key }, /none\.pem cannot be read \(ENOENT\)/],
    ['a folder', { certificate: folder, key }, /cannot be read \(EISDIR\)/],
    ['a key in place of the certificate', { certificate: key, key }, /there is no certificate in PEM in .*localhost\.key/],
    [
      'a certificate in place of the key',
      { certificate, key: certificate },
      /there is no private key in PEM in .*localhost\.pem/,
    ],
    ['the key of another one', { certificate, key: otherKey }, /the key in .*other\.key is not that of the certificate in/],
    ['an encrypted key and no passphrase', { certificate, key: encryptedKey }, /is encrypted: set QUIRE_HTTPS_KEY_PASSPHRASE/],
    ['a wrong passphrase', { certificate, key: encryptedKey, passphrase: 'no' }, /_PASSPHRASE does not open the key in/],
    ['a file without end', { certificate: '/dev/zero', key }, /more than 1048576 bytes/],
  ] as const
  for (const [what, files, sentence] of mistakes) {
    test(`is refused in one sentence: ${what}`, async () => {
      await assert.rejects(readCertificate({ passphrase: undefined, ...files }), sentence)
    })
  }
})

describe('the settings of https', () => {
  const none = {
    httpsPort: 0,
    httpsCertificate: undefined,
    httpsKey: undefined,
    httpsKeyPassphrase: undefined,
    httpsMinVersion: '1.2',
    plainHttp: 'serve',
  } as const
  test('come to nothing without a port, and to a key in the file of the certificate', () => {
    assert.equal(encryptionOf(none), undefined)
    assert.equal(encryptionOf({ ...none, httpsPort: 8443, httpsCertificate: 'a.pem' })?.files.key, 'a.pem')
  })
  test('are refused where nobody could be served, or nothing be shown', () => {
    assert.throws(() => encryptionOf({ ...none, httpsPort: 8443 }), /needs --https-certificate/)
    assert.throws(() => encryptionOf({ ...none, plainHttp: 'off' }), /--plain-http=off needs --https-port/)
  })
  test('say what browsers are told', () => {
    const hsts = { hstsEnabled: true, hstsMaxAge: 60, hstsIncludeSubdomains: false, hstsPreload: false }
    assert.equal(transportSecurityOf(hsts), 'max-age=60')
    assert.equal(
      transportSecurityOf({ ...hsts, hstsIncludeSubdomains: true, hstsPreload: true }),
      'max-age=60; includeSubDomains; preload',
    )
    assert.equal(transportSecurityOf({ ...hsts, hstsEnabled: false }), undefined)
  })
})

describe('certificates that are renewed', () => {
  async function watched(now = () => Date.now()) {
    const files = {
      certificate: written('watched.pem', readFileSync(certificate)),
      key: written('watched.key', readFileSync(key)),
      passphrase: undefined,
    }
    const events: string[] = []
    const keep = ({ event }: LogFields) => void events.push(event)
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
    const used: Certificate[] = []
    const use = (one: Certificate) => void used.push(one)
    const watch = await CertificateWatch.open(files, { use, log, now })
    return { files, watch, used, events }
  }

  test('are taken up once both files are there, and not while they are written', async () => {
    const { files, watch, used, events } = await watched()
    writeFileSync(files.certificate, readFileSync(join(shelf, 'renewed.pem')))
    await watch.look()
    writeFileSync(files.key, readFileSync(join(shelf, 'renewed.key')))
    await watch.look()
    assert.deepEqual(used, [])
    await watch.look()
    assert.deepEqual(
      used.map(({ subject }) => subject),
      ['CN=localhost, O=Renewed'],
    )
    await watch.look()
    assert.deepEqual(events, ['https.certificateRenewed'])
  })

  test('that cannot be used are told once, and replaced by the next', async () => {
    const { files, watch, used, events } = await watched()
    writeFileSync(files.certificate, 'nothing')
    for (let look = 0; look < 4; look += 1) await watch.look()
    assert.deepEqual(events, ['https.certificateUnusable'])
    rmSync(files.certificate)
    for (let look = 0; look < 4; look += 1) await watch.look()
    assert.deepEqual(events, ['https.certificateUnusable', 'https.certificateUnusable'])
    writeFileSync(files.certificate, readFileSync(certificate))
    for (let look = 0; look < 3; look += 1) await watch.look()
    assert.equal(used.length, 1)
  })

  test('and those that nobody renews are told of once a day', async () => {
    let now = Date.parse('2126-10-20T00:00:00Z')
    const { watch, events } = await watched(() => now)
    await watch.look()
    assert.deepEqual(events, ['https.certificateExpires'])
    now += 86_400_000
    await watch.look()
    assert.equal(events.length, 2)
  })
})
