import { documentBody, getting, json, request, workspaces } from './hostile-request.ts'

const creating = { headers: [json], body: documentBody({}) }
const sending = (...headers: string[]) => ({ headers, body: documentBody({}) })

export const wrongMethods = [
  request('PATCH of a document', 'PATCH', '/id/<file>', 405, creating),
  request('PROPFIND of a document', 'PROPFIND', '/id/<file>', 405),
  request('TRACE of a document', 'TRACE', '/id/<file>', 405),
  request('LOCK of a document', 'LOCK', '/id/<file>', 405),
  request('PUT of an empty document', 'PUT', '/@emptyWithDefault?type=File', 405, creating),
  request('DELETE of a list of children', 'DELETE', `${workspaces}/@children`, 405),
  request('DELETE of oneself', 'DELETE', '/me', 405),
  request('GET of the login', 'GET', '/automation/login', 405),
  request('POST to the capabilities', 'POST', '/capabilities', 405, creating),
]

export const wrongMediaTypes = [
  request('no content type', 'POST', workspaces, 415, sending()),
  request('an empty content type', 'POST', workspaces, 415, sending('Content-Type:')),
  request('plain text', 'POST', workspaces, 415, sending('Content-Type: text/plain')),
  request('XML', 'POST', workspaces, 415, sending('Content-Type: application/xml')),
  request('a form', 'POST', workspaces, 415, sending('Content-Type: application/x-www-form-urlencoded')),
  request('a form of parts', 'POST', workspaces, 415, sending('Content-Type: multipart/form-data; boundary=x')),
  request('almost JSON', 'POST', workspaces, 415, sending('Content-Type: application/jsonx')),
  request('a compressed body', 'POST', workspaces, 415, sending(json, 'Content-Encoding: gzip')),
  request('an answer in HTML', 'POST', workspaces, 406, sending(json, 'Accept: text/html')),
  getting('a picture of a document', '/id/<file>', 406, { headers: ['Accept: image/png'] }),
]

export const wrongHeaders = [
  request('a versioning option that is none', 'POST', workspaces, 400, sending(json, 'X-Versioning-Option: HUGE')),
  request(
    'a versioning option that every object has',
    'PUT',
    '/id/<file>',
    400,
    sending(json, 'X-Versioning-Option: constructor'),
  ),
  request('an expectation that nobody meets', 'POST', workspaces, 417, sending(json, 'Expect: 200-maybe')),
  request('an origin from elsewhere', 'POST', workspaces, 403, sending(json, 'Origin: https://evil.example')),
  request('a referrer from elsewhere', 'POST', workspaces, 403, sending(json, 'Referer: https://evil.example/page')),
  getting('1,500 headers', '/path/', 431, { headers: Array.from({ length: 1_500 }, (_, index) => `X-Header-${index}: value`) }),
  getting('a header of 64 KB', '/path/', 431, { headers: [`X-Long: ${'x'.repeat(65_536)}`] }),
]

const basic = (credentials: string | Uint8Array) => `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`
const asNobody = (...headers: string[]) => ({ headers, user: null })

export const wrongCredentials = [
  getting('none', '/path/', 401, asNobody()),
  getting('a wrong password', '/path/', 401, asNobody(basic('Administrator:wrong'))),
  getting('a scheme and nothing else', '/path/', 401, asNobody('Authorization: Basic')),
  getting('a scheme and blanks', '/path/', 401, asNobody('Authorization: Basic      ')),
  getting('an unknown scheme', '/path/', 401, asNobody('Authorization: Magic wand')),
  getting('a bearer token that is none', '/path/', 401, asNobody('Authorization: Bearer x.y.z')),
  getting('a token that is none', '/path/', 401, asNobody('X-Authentication-Token: x')),
  getting('no base64', '/path/', 401, asNobody('Authorization: Basic !!!!')),
  getting('no colon', '/path/', 401, asNobody(basic('Administrator'))),
  getting('only a colon', '/path/', 401, asNobody(basic(':'))),
  getting('no name', '/path/', 401, asNobody(basic(':Administrator'))),
  getting('no password', '/path/', 401, asNobody(basic('Administrator:'))),
  getting('a NUL in the name', '/path/', 401, asNobody(basic('Administrator\0:Administrator'))),
  getting('a NUL in the password', '/path/', 401, asNobody(basic('Administrator:Administrator\0'))),
  getting('a line break in the name', '/path/', 401, asNobody(basic('Administrator\r\nX: y:Administrator'))),
  getting('bytes that are no UTF-8', '/path/', 401, asNobody(basic(Uint8Array.of(0xff, 0xfe, 0x3a, 0xff)))),
  getting('Latin-1 in the header', '/path/', 401, asNobody('Authorization: Basic \xe4\xf6\xfc')),
  getting('SQL in the name', '/path/', 401, asNobody(basic("' OR '1'='1:x"))),
  getting('a name that every object has', '/path/', 401, asNobody(basic('constructor:x'))),
  getting('a name of 8 KB', '/path/', 401, asNobody(basic(`${'x'.repeat(8_000)}:x`))),
  getting('the internal user', '/path/', 401, asNobody(basic('system:system'))),
  request('none, with a body that is no JSON', 'POST', workspaces, 401, { ...asNobody(json), body: '{' }),
  getting('none, at a broken address', '/path/%', 400, asNobody()),
]
