import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { ServerEvent } from '../../src/core/session.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { SignInLink } from '../../src/rest/authenticator.ts'
import { browserAt } from '../support/browser-client.ts'
import { onEachServer } from '../support/servers.ts'

const heard: ServerEvent[] = []

const company: SignInLink = {
  name: 'company',
  label: 'Our <company>',
  urlFor: ({ baseUrl }, requestedUrl) => `${baseUrl}company?to=${encodeURIComponent(requestedUrl ?? '')}`,
  problems: { companyAsleep: { en: 'The <company> sleeps.', fr: 'La <company> dort.' } },
  async signOut(request) {
    if (request.cookie('company') === undefined) return undefined
    return { url: 'https://company.example/bye', cookies: ['company=; Path=/; Max-Age=0'] }
  },
}

const plugin = definePlugin({
  name: 'company-doors',
  authenticators: [
    {
      name: 'PHONE_AUTH',
      identify: () => ({ kind: 'none' }),
      logout: ({ basePath }) => [`phone=; Path=${basePath || '/'}; Max-Age=0`],
    },
  ],
  signInLinks: [company],
  serverListeners: [
    { name: 'hears', events: ['loginSuccess', 'loginFailed', 'logout'], handle: (event) => void heard.push(event) },
  ],
})

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

onEachServer(
  'security 2.5 the sign-in page',
  (server) => {
    before(() => server.addUser('alice'))
    const browser = () => browserAt(server.url)
    const locationOf = (response: Response) => response.headers.get('location')

    test('has the fields that browser suites look up', async () => {
      const response = await browser().get('login.jsp?requestedUrl=nxdoc/default/x&forceAnonymousLogin=true')
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'text/html;charset=UTF-8')
      const text = await response.text()
      for (const part of [
        /<form method="post" action="startup">/,
        /<input type="text" id="username" name="user_name"/,
        /<input type="password" id="password" name="user_password"/,
        /<button type="submit" name="Submit"/,
        /name="requestedUrl" value="nxdoc\/default\/x"/,
        /name="language" value="en"/,
        /name="forceAnonymousLogin" value="true"/,
        /name="form_submitted_marker"/,
        /<h1>Our records<\/h1>/,
      ]) {
        assert.match(text, part)
      }
    })

    test('runs no script in it, is shown in no frame, and is not cached', async () => {
      const { headers } = await browser().get('login.jsp')
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      )
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('cache-control'), 'no-store')
    })

    const problems: readonly [query: string, said: RegExp][] = [
      ['loginFailed=true', /not right/],
      ['loginMissing=true', /Enter your user name/],
      ['connectionFailed=true&loginFailed=true', /cannot be reached/],
      ['nxtimeout=true', /session has ended/],
      ['securityError=true', /may not see/],
    ]
    for (const [query, said] of problems) {
      test(`says what is wrong: ${query}`, async () => {
        assert.match(await (await browser().get(`login.jsp?${query}`)).text(), said)
      })
    }

    test('is in the language that was asked for, or that the browser prefers', async () => {
      const french = await (await browser().get('login.jsp', { 'accept-language': 'fr-CA, en;q=0.5' })).text()
      assert.match(french, /<html lang="fr">[\s\S]*Mot de passe/)
      assert.match(await (await browser().get('login.jsp?language=fr')).text(), /Mot de passe/)
      assert.match(await (await browser().get('login.jsp?language=en', { 'accept-language': 'fr' })).text(), /Password/)
      assert.match(await (await browser().get('login.jsp', { 'accept-language': 'de' })).text(), /Password/)
    })

    test('shows what was sent as text', async () => {
      const nasty = encodeURIComponent('"><script>alert(1)</script>')
      const text = await (await browser().get(`login.jsp?user_name=${nasty}&requestedUrl=${nasty}&language=${nasty}`)).text()
      assert.ok(!text.includes('<script'))
    })

    test('has a button for each other way, which knows the page that was asked for', async () => {
      const text = await (await browser().get('login.jsp?requestedUrl=nxdoc/x')).text()
      assert.ok(text.includes(`href="${server.url}company?to=nxdoc%2Fx"`), text)
      assert.match(text, /Our &lt;company&gt;/)
    })

    test('tells what went wrong on another way, in the language of the page', async () => {
      assert.match(
        await (await browser().get('login.jsp?companyAsleep=true')).text(),
        /role="alert">The &lt;company&gt; sleeps\.</,
      )
      assert.match(await (await browser().get('login.jsp?companyAsleep=true&language=fr')).text(), /La &lt;company&gt; dort\./)
      assert.doesNotMatch(await (await browser().get('login.jsp?companyAsleep=1')).text(), /role="alert"/)
    })

    test('sign-out leads on to where somebody signed in, and takes the cookies of that', async () => {
      const user = browser()
      await user.signIn('alice')
      user.cookies.set('company', 'x')
      const response = await user.get('logout')
      assert.equal(locationOf(response), 'https://company.example/bye')
      assert.equal(user.cookies.size, 0)
    })

    test('signs in: a session begins and the browser is sent to the start page', async () => {
      const user = browser()
      const response = await user.signIn('alice')
      assert.deepEqual([response.status, locationOf(response)], [302, `${server.url}ui/`])
      const [cookie = ''] = response.headers.getSetCookie()
      assert.match(cookie, /^JSESSIONID=[\w-]{43}; Path=\/; HttpOnly$/)
      const me = await user.get('api/v1/me')
      assert.equal(me.status, 200)
      assert.match(await me.text(), /"id":"alice"/)
    })

    test('signs in with the fields on any page that is protected', async () => {
      const response = await browser().postForm('nxfile/default/x', { user_name: 'alice', user_password: 'alice' })
      assert.equal(response.status, 302)
      assert.equal(response.headers.getSetCookie().length, 1)
    })

    test('takes credentials from no address, and not for the API', async () => {
      const query = 'user_name=alice&user_password=alice'
      assert.equal((await browser().get(`startup?${query}`)).status, 401)
      assert.equal((await browser().postForm(`startup?${query}`, { form_submitted_marker: '' })).headers.getSetCookie().length, 0)
      const api = await browser().postForm('api/v1/automation/login', { user_name: 'alice', user_password: 'alice' })
      assert.equal(api.status, 401)
      assert.equal((await browser().postForm('startup', { j_username: 'alice', j_password: 'alice' })).status, 401)
    })

    test('refuses a wrong password with all that was sent but the password', async () => {
      const response = await browser().signIn('alice', 'wrong', { requestedUrl: 'nxdoc/x y', language: 'fr' })
      assert.equal(response.status, 302)
      const url = new URL(locationOf(response) ?? '')
      assert.equal(url.origin + url.pathname, `${server.url}login.jsp`)
      assert.deepEqual(Object.fromEntries(url.searchParams), {
        user_name: 'alice',
        form_submitted_marker: '',
        requestedUrl: 'nxdoc/x y',
        language: 'fr',
        loginFailed: 'true',
      })
      assert.equal(response.headers.getSetCookie().length, 0)
    })

    test('says that the name is missing', async () => {
      const url = new URL(locationOf(await browser().signIn('', 'x')) ?? '')
      assert.deepEqual([url.searchParams.get('loginMissing'), url.searchParams.get('loginFailed')], ['true', null])
    })

    test('refuses the internal user, an empty password and one that nobody has', async () => {
      for (const [name, password] of [
        ['system', 'system'],
        ['alice', ''],
        ['nobody', 'nobody'],
      ] as const) {
        const response = await browser().signIn(name, password)
        assert.match(locationOf(response) ?? '', /loginFailed=true/, name)
        assert.equal(response.headers.getSetCookie().length, 0)
      }
    })

    test('leads back to the page that was asked for, with its fragment', async () => {
      const user = browser()
      const asked = await user.get('nxfile/default/1234/view?tab=2', html)
      assert.equal(asked.status, 401)
      assert.equal(asked.headers.get('content-type'), 'text/html;charset=UTF-8')
      assert.equal(asked.headers.get('www-authenticate'), null)
      const page = await asked.text()
      assert.ok(page.includes('login.jsp?requestedUrl=nxfile%2Fdefault%2F1234%2Fview%3Ftab%3D2'), page)
      assert.match(page, /data-cookie="platform.start.url.fragment"/)
      assert.match(page, /<script src="[^"]+sign-in\/go-on.js"><\/script>/)
      assert.match(asked.headers.get('content-security-policy') ?? '', /script-src 'self'/)
      user.cookies.set('platform.start.url.fragment', encodeURIComponent('!/doc?a=b'))
      const response = await user.signIn('alice', 'alice', { requestedUrl: 'nxfile/default/1234/view?tab=2' })
      assert.equal(locationOf(response), `${server.url}nxfile/default/1234/view?tab=2#!/doc?a=b`)
      assert.deepEqual([...user.cookies.keys()], ['JSESSIONID'])
    })

    test('remembers no address that is not a page', async () => {
      for (const [path, headers] of [
        ['json/cmis', html],
        ['nxfile/x', { ...html, 'service-worker': 'script' }],
      ] as const) {
        assert.doesNotMatch(await (await browser().get(path, headers)).text(), /requestedUrl/)
      }
    })

    test('answers programs that ask for JSON with JSON', async () => {
      const response = await browser().get('json/cmis', { accept: 'application/json' })
      assert.deepEqual(
        [response.status, await response.json()],
        [401, { 'entity-type': 'exception', status: 401, message: 'Unauthorized' }],
      )
    })

    test('leads to the address that another sign-on left in its cookie, and forgets it', async () => {
      const user = browser()
      user.cookies.set('sso.initial.url.request', encodeURIComponent(`${server.url}nxdoc/y`))
      assert.equal(locationOf(await user.signIn('alice')), `${server.url}nxdoc/y`)
      assert.ok(!user.cookies.has('sso.initial.url.request'))
    })

    for (const evil of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
      '\\\\evil.example',
      'http:evil.example',
      ' //evil.example',
      '../../x',
      '/%0d%0aSet-Cookie:x',
    ]) {
      test(`leads nowhere else: ${evil}`, async () => {
        const target = new URL(locationOf(await browser().signIn('alice', 'alice', { requestedUrl: evil })) ?? '')
        assert.equal(`${target.origin}/`, server.url)
        const user = browser()
        await user.signIn('alice')
        const shown = await user.get(`login.jsp?requestedUrl=${encodeURIComponent(evil)}`)
        assert.ok(shown.status === 200 || new URL(locationOf(shown) ?? '').origin === target.origin)
      })
    }

    test('is skipped by who has signed in and wants a page', async () => {
      const user = browser()
      await user.signIn('alice')
      const shown = await user.get('login.jsp?requestedUrl=nxdoc/x')
      assert.deepEqual([shown.status, locationOf(shown)], [302, `${server.url}nxdoc/x`])
      assert.equal((await user.get('login.jsp')).status, 200)
      assert.equal((await browser().get('login.jsp?requestedUrl=nxdoc/x')).status, 200)
    })

    test('tells a script that it has signed in without sending it anywhere', async () => {
      const xhr = { 'x-requested-with': 'XMLHttpRequest' }
      const done = await browser().postForm('startup', { user_name: 'alice', user_password: 'alice' }, xhr)
      assert.deepEqual([done.status, await done.text(), done.headers.getSetCookie().length], [200, '', 1])
      const failed = await browser().postForm('startup', { user_name: 'alice', user_password: 'no' }, xhr)
      assert.deepEqual([failed.status, locationOf(failed)], [401, null])
    })

    test('lets nobody sign a person in from the page of another site', async () => {
      for (const headers of [
        { origin: 'https://evil.example' },
        { referer: 'https://evil.example/x' },
        { 'sec-fetch-site': 'cross-site' },
      ]) {
        const response = await browser().postForm('startup', { user_name: 'alice', user_password: 'alice' }, headers)
        assert.deepEqual([response.status, response.headers.getSetCookie().length], [403, 0])
      }
    })

    test('lets a person become somebody else', async () => {
      await server.addUser('bea')
      const user = browser()
      await user.signIn('alice')
      const again = await user.get('login', html)
      assert.deepEqual([again.status, locationOf(again)], [302, `${server.url}login.jsp`])
      await user.signIn('bea')
      assert.match(await (await user.get('api/v1/me')).text(), /"id":"bea"/)
    })

    test('leads a browser from the start page to sign-in and back, with what was asked for before, and answers others as ever', async () => {
      const asked = await browser().get('ui/browse/x?sort=dc:title', html)
      assert.deepEqual(
        [asked.status, locationOf(asked)],
        [302, `${server.url}login.jsp?requestedUrl=ui%2Fbrowse%2Fx%3Fsort%3Ddc%3Atitle`],
      )
      const passedOn = await browser().get('ui/?requestedUrl=nxdoc%2Fx&securityError=true', html)
      assert.equal(locationOf(passedOn), `${server.url}login.jsp?requestedUrl=nxdoc%2Fx&securityError=true`)
      for (const headers of [
        { accept: '*/*' },
        { accept: 'application/json' },
        { ...html, 'x-requested-with': 'XMLHttpRequest' },
      ])
        assert.equal((await browser().get('ui/', headers)).status, 401)
    })

    test('leads who has signed in from startup to the start page, and asks others', async () => {
      const user = browser()
      assert.equal((await user.get('startup', html)).status, 401)
      await user.signIn('alice')
      assert.equal(locationOf(await user.get('startup')), `${server.url}ui/`)
    })

    test('sends on who is let in by the request itself, and no program', async () => {
      const headers = { authorization: `Basic ${Buffer.from('alice:alice').toString('base64')}` }
      assert.equal(locationOf(await browser().get('startup?requestedUrl=nxdoc/z', headers)), `${server.url}nxdoc/z`)
      assert.equal((await browser().get('api/v1/me?requestedUrl=nxdoc/z', headers)).status, 200)
    })

    test('home.html answers anybody, whatever its query', async () => {
      for (const query of ['', '?code=abc&state=x', '?requestedUrl=nxdoc/x']) {
        const response = await browser().get(`home.html${query}`)
        assert.equal(response.status, 200)
        assert.match(await response.text(), /Sign in/)
      }
      const user = browser()
      await user.signIn('alice')
      assert.match(await (await user.get('home.html')).text(), /signed in as <b>alice<\/b>/)
    })

    test('sign-out ends the session, blanks the cookies of all ways in and leads to the start page', async () => {
      const user = browser()
      await user.signIn('alice')
      const secret = user.cookies.get('JSESSIONID')
      const response = await user.get('logout')
      assert.deepEqual([response.status, locationOf(response)], [302, `${server.url}ui/`])
      const gone = ['JSESSIONID=; Path=/; Max-Age=0; HttpOnly', 'phone=; Path=/; Max-Age=0']
      for (const cookie of gone) assert.ok(response.headers.getSetCookie().includes(cookie), cookie)
      const stolen = await browser().get('api/v1/me', { cookie: `JSESSIONID=${secret}` })
      assert.equal(stolen.status, 401)
    })

    const callbacks: readonly [callback: string, isFollowed: boolean][] = [
      ['{base}nxdoc/x?y=1', true],
      ['platform://token', true],
      ['nxdrive://token', true],
      ['https://evil.example/', false],
      ['//evil.example', false],
      ['javascript:alert(1)', false],
      ['{host}.evil.example/', false],
      ['platform://x\r\nSet-Cookie: a=b', false],
    ]
    for (const [callback, isFollowed] of callbacks) {
      test(`sign-out ${isFollowed ? 'leads' : 'does not lead'} to ${callback}`, async () => {
        const user = browser()
        await user.signIn('alice')
        const url = callback.replace('{base}', server.url).replace('{host}', server.url.slice(0, -1))
        const response = await user.get(`logout?callbackURL=${encodeURIComponent(url)}`)
        assert.equal(locationOf(response), isFollowed ? url : `${server.url}ui/`)
      })
    }

    test('sign-out passes on what the next page needs, and redirects no script', async () => {
      const user = browser()
      await user.signIn('alice')
      const response = await user.get('logout?requestedUrl=nxdoc/x&securityError=true')
      assert.equal(locationOf(response), `${server.url}ui/?requestedUrl=nxdoc%2Fx&securityError=true`)
      await user.signIn('alice')
      const scripted = await user.get('logout', { 'x-requested-with': 'XMLHttpRequest' })
      assert.deepEqual([scripted.status, locationOf(scripted)], [200, null])
      assert.equal((await user.get('api/v1/me')).status, 401)
    })

    test('sign-out without a session asks for credentials', async () => {
      assert.equal((await browser().get('logout', html)).status, 401)
      const headers = { authorization: `Basic ${Buffer.from('alice:alice').toString('base64')}` }
      assert.equal(locationOf(await browser().get('logout', headers)), `${server.url}login.jsp`)
    })

    test('is told to listeners: who signs in, fails and signs out, and by what', async () => {
      heard.length = 0
      const user = browser()
      await user.signIn('alice', 'wrong')
      await user.signIn('alice')
      await user.get('api/v1/me')
      await user.get('logout')
      assert.deepEqual(
        heard.map(({ name, comment, category }) => [name, comment, category]),
        [
          ['loginFailed', 'alice failed to sign in by FORM_AUTH', 'PlatformAuthentication'],
          ['loginSuccess', 'alice signed in by FORM_AUTH', 'PlatformAuthentication'],
          ['logout', 'alice signed out by FORM_AUTH', 'PlatformAuthentication'],
        ],
      )
    })
  },
  { plugins: [plugin], settings: { productName: 'Our records' } },
)
