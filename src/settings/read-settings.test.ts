import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settingGroups } from '../builtin-settings.ts'
import { defineSettings } from './define-settings.ts'
import { illTypedSetting, secretOnCommandLine, unexpectedArgument, unknownSetting } from './problems.ts'
import { readSettings, type SettingSources } from './read-settings.ts'

const read = (sources: SettingSources = {}) => readSettings(settingGroups, sources)

function assertLine(sources: SettingSources, problem: { is(error: unknown): boolean }, line: string): void {
  assert.throws(
    () => read(sources),
    (error: Error) => {
      assert.ok(problem.is(error), `${error.name} is another problem`)
      assert.equal(error.message, line)
      return true
    },
  )
}

describe('defaults', () => {
  test('are those that were promised, in the type of their declaration', () => {
    const settings = read()
    assert.equal(settings.host, '127.0.0.1')
    assert.equal(settings.port satisfies number, 8080)
    assert.equal(settings.data, './data')
    // @ts-expect-error a setting without a default may be undefined
    assert.equal(settings.databaseUrl satisfies string, undefined)
    assert.equal(settings.basePath, '')
    assert.equal(settings.vendor, 'platform')
    assert.equal(settings.workers, 1)
    assert.deepEqual(settings.repositories, ['default'])
    assert.equal(settings.logLevel satisfies 'silent' | 'error' | 'warn' | 'info' | 'debug', 'info')
    assert.equal(settings.adminPassword, 'Administrator')
    assert.equal(settings.jsonMaxSize, 10_000_000)
    assert.equal(settings.transactionTimeout, 300_000)
    assert.equal(settings.idempotencyTtl, 86_400_000)
  })

  test('that do not fit their own type are found at start', () => {
    const wrong = defineSettings({ size: { type: 'bytes', default: 'big', help: 'for a test' } })
    assert.throws(() => readSettings([wrong], {}), /the default of size is "big" but must be a size/)
  })
})

describe('of several places that give a value', () => {
  const flags = ['--cors-max-age', '1']
  const flagProperty = ['--property', 'platform.cors.maxAge=2']
  const environment = { QUIRE_CORS_MAX_AGE: '3' }
  const settings = { corsMaxAge: 4 }
  const properties = { 'platform.cors.maxAge': 5 }

  const rows: readonly [string, SettingSources, number][] = [
    ['the flag goes first', { flags: [...flags, ...flagProperty], environment, config: { settings, properties } }, 1],
    ['then its property on the command line', { flags: flagProperty, environment, config: { settings, properties } }, 2],
    ['then the environment', { environment, config: { settings, properties } }, 3],
    ['then the setting in the configuration file', { config: { settings, properties } }, 4],
    ['then its property there', { config: { properties } }, 5],
    ['then the default', {}, -1],
  ]
  for (const [sentence, sources, value] of rows) {
    test(sentence, () => assert.equal(read(sources).corsMaxAge, value))
  }

  test('an empty variable is none', () => {
    assert.equal(read({ environment: { QUIRE_PORT: '' }, config: { settings: { port: 9 } } }).port, 9)
  })

  test('an undefined entry of the configuration file is none', () => {
    assert.equal(read({ config: { settings: { port: undefined } } }).port, 8080)
  })
})

describe('flags', () => {
  test('take their value with a space or an equals sign', () => {
    assert.equal(read({ flags: ['--port', '81'] }).port, 81)
    assert.equal(read({ flags: ['--port=82'] }).port, 82)
  })

  test('given twice count the last time, and lists grow', () => {
    assert.equal(read({ flags: ['--port', '81', '--port', '82'] }).port, 82)
    const flags = ['--repositories', 'a,b', '--repositories', 'c']
    assert.deepEqual(read({ flags }).repositories, ['default', 'a', 'b', 'c'])
  })

  test('that are true or false need no value and can be negated', () => {
    assert.equal(read({ flags: ['--csrf-token-enabled'] }).csrfTokenEnabled, true)
    assert.equal(read({ flags: ['--no-proxy-trusted'] }).proxyTrusted, false)
    assert.equal(read({ flags: ['--proxy-trusted=false'] }).proxyTrusted, false)
  })

  test('can set an empty text', () => assert.equal(read({ flags: ['--frame-options='] }).frameOptions, ''))

  test('do not take the next flag for their value', () => {
    assertLine({ flags: ['--data', '--port', '81'] }, illTypedSetting, '--data needs a value: it must be a folder')
  })

  test('without a value at the end are refused', () => {
    assertLine({ flags: ['--port'] }, illTypedSetting, '--port needs a value: it must be a whole number from 0 to 65535')
  })

  test('are all there is: a loose word is refused', () => {
    const line = '"9090" is not expected here: values are given as --flag=value'
    assertLine({ flags: ['9090'] }, unexpectedArgument, line)
  })
})

describe('a name that is not a setting', () => {
  test('is refused as a flag, even with a value', () => {
    assertLine(
      { flags: ['--prot', '81'] },
      unknownSetting,
      '--prot is not a setting (did you mean --port?); --help lists them all',
    )
  })

  test('is refused as a short flag', () => {
    assertLine({ flags: ['-p', '81'] }, unknownSetting, '-p is not a setting; --help lists them all')
  })

  test('is refused in the environment', () => {
    const line = 'QUIRE_DATABSE_URL is not a setting (did you mean QUIRE_DATABASE_URL?); --help lists them all'
    assertLine({ environment: { QUIRE_DATABSE_URL: 'x' } }, unknownSetting, line)
  })

  test('is refused in the environment even when empty', () => {
    assert.throws(() => read({ environment: { QUIRE_VERBOSE: '' } }), unknownSetting.is)
  })

  test('is refused in the configuration file, by the name of that file', () => {
    const line = 'prot in my.config.ts is not a setting (did you mean port?); --help lists them all'
    assertLine({ config: { file: 'my.config.ts', settings: { prot: 81 } } }, unknownSetting, line)
  })

  test('is refused as a property', () => {
    const line =
      '--property platform.csrf.token.enable is not a setting (did you mean platform.csrf.token.enabled?); --help lists them all'
    assertLine({ flags: ['--property', 'platform.csrf.token.enable=true'] }, unknownSetting, line)
    assert.throws(() => read({ config: { properties: { 'some.other': 1 } } }), unknownSetting.is)
  })

  test('has a prefix: other variables and those of the test harness pass', () => {
    assert.equal(read({ environment: { PATH: '/bin', QUIRE_TEST_POSTGRES_URL: 'x' } }).port, 8080)
  })
})

describe('a value of the wrong type', () => {
  const expected = 'must be a whole number from 0 to 65535'
  const rows: readonly [string, SettingSources, string][] = [
    ['a flag', { flags: ['--port', 'http'] }, `--port is "http" but ${expected}`],
    ['the environment', { environment: { QUIRE_PORT: 'http' } }, `QUIRE_PORT is "http" but ${expected}`],
    ['the configuration file', { config: { settings: { port: [80] } } }, `port in quire.config.ts is [ 80 ] but ${expected}`],
    [
      'a property on the command line',
      { flags: ['--property=platform.proxy.trusted=maybe'] },
      '--property platform.proxy.trusted is "maybe" but must be true or false',
    ],
    [
      'a property in the configuration file',
      { config: { properties: { 'platform.proxy.trusted': 'maybe' } } },
      'platform.proxy.trusted in quire.config.ts is "maybe" but must be true or false',
    ],
    [
      'a property without a value',
      { flags: ['--property', 'platform.proxy.trusted'] },
      '--property is "platform.proxy.trusted" but must be a property and its value, as name=value',
    ],
    [
      'a property without a name',
      { flags: ['--property'] },
      '--property needs a value: it must be a property and its value, as name=value',
    ],
  ]
  for (const [place, sources, line] of rows) {
    test(`in ${place} is refused with one line that says where`, () => assertLine(sources, illTypedSetting, line))
  }

  const rules: readonly [string, string][] = [
    ['--base-path=content', '--base-path is "content" but must be empty or a path such as /content, without a slash at its end'],
    [
      '--base-path=/content/',
      '--base-path is "/content/" but must be empty or a path such as /content, without a slash at its end',
    ],
    ['--vendor=Acme Corp', '--vendor is "Acme Corp" but must be one word in lower-case letters and digits'],
    ['--workers=0', '--workers is "0" but must be a whole number from 1 to 256'],
    ['--log-level=loud', '--log-level is "loud" but must be one of silent, error, warn, info, debug'],
    ['--cors-pattern=(', '--cors-pattern is "(" but must be a regular expression'],
    ['--host=', '--host is "" but must be an address or a host name'],
  ]
  for (const [flag, line] of rules) {
    test(`is refused for ${flag}`, () => assertLine({ flags: [flag] }, illTypedSetting, line))
  }

  test('never shows the password inside a URL', () => {
    for (const url of ['mysql://quire:p@ss/w@db/quire', 'quire:hunter2@db']) {
      assertLine(
        { environment: { QUIRE_DATABASE_URL: url } },
        illTypedSetting,
        `QUIRE_DATABASE_URL is "…@${url.slice(url.lastIndexOf('@') + 1)}" but must be a URL that starts with postgres:// or postgresql://`,
      )
    }
  })
})

describe('a secret', () => {
  test('is read from the environment and the configuration file', () => {
    assert.equal(read({ environment: { QUIRE_ADMIN_PASSWORD: 'hush' } }).adminPassword, 'hush')
    assert.equal(read({ config: { properties: { 'server.status.key': 'hush' } } }).statusKey, 'hush')
  })

  test('is not taken from the command line', () => {
    const line =
      '--admin-password is a secret, and every user of this machine can read a command line: set QUIRE_ADMIN_PASSWORD instead'
    assertLine({ flags: ['--admin-password', 'hush'] }, secretOnCommandLine, line)
    assert.throws(() => read({ flags: ['--property', 'server.status.key=hush'] }), secretOnCommandLine.is)
  })

  test('is not shown when it has the wrong type', () => {
    const line = 'adminPassword in quire.config.ts is set but must be text'
    assertLine({ config: { settings: { adminPassword: { hush: 1 } } } }, illTypedSetting, line)
  })
})

describe('property names', () => {
  test('carry the vendor’s word, wherever that was set', () => {
    const properties = ['--property', 'acme.csrf.token.enabled=true', '--property', 'org.acme.rest.stack.enable=true']
    for (const sources of [
      { flags: ['--vendor', 'acme', ...properties] },
      { flags: properties, environment: { QUIRE_VENDOR: 'acme' } },
      { flags: properties, config: { settings: { vendor: 'acme' } } },
    ]) {
      const settings = read(sources)
      assert.equal(settings.csrfTokenEnabled, true)
      assert.equal(settings.restStackEnable, true)
    }
  })

  test('are taken in the neutral form too', () => {
    assert.equal(read({ flags: ['--vendor=acme', '--property=platform.csrf.token.enabled=true'] }).csrfTokenEnabled, true)
  })

  test('of another vendor are unknown', () => {
    assert.throws(() => read({ flags: ['--property', 'acme.csrf.token.enabled=true'] }), unknownSetting.is)
  })

  test('may have values with equals signs and lists', () => {
    assert.equal(read({ flags: ['--property', 'platform.cors.pattern=/a=b'] }).corsPattern, '/a=b')
    const config = { properties: { 'platform.csrf.token.skip': ['/login', '/oauth2/token'] } }
    assert.deepEqual(read({ config }).csrfTokenSkip, ['/login', '/oauth2/token'])
  })

  test('keep the bare numbers they have always had', () => {
    assert.equal(read({ flags: ['--property', 'platform.db.transactiontimeout=60'] }).transactionTimeout, 60_000)
  })
})

test('values cannot be changed after they were read', () => {
  const settings = read() as { port: number }
  assert.throws(() => {
    settings.port = 1
  }, TypeError)
})
