import { getting, type HostileRequest, json, request, workspaces } from './hostile-request.ts'

const put = (properties: string) => ({ headers: [json], body: `{"entity-type":"document","properties":${properties}}` })
const asking = (...headers: string[]) => ({ headers })

/** Requests that look hostile and are allowed: they are answered as if what is strange about them were not there. */
export const curiosities: readonly HostileRequest[] = [
  getting('a page before the first', `${workspaces}/@children?currentPageIndex=-5`, 200),
  getting('a page size below zero', `${workspaces}/@children?pageSize=-1`, 200),
  getting('an offset below zero', `${workspaces}/@children?offset=-1`, 200),
  getting('the last page that can be named', `${workspaces}/@children?currentPageIndex=9007199254740991`, 200),
  getting('the largest offset that can be named', `${workspaces}/@children?offset=9007199254740991`, 200),
  getting('the most results that can be named', `${workspaces}/@children?maxResults=9007199254740991`, 200),
  getting('the largest page that can be named', `${workspaces}/@children?pageSize=9007199254740991`, 200),
  getting('an order that is none', `${workspaces}/@children?sortBy=dc:title&sortOrder=${encodeURIComponent("'; --")}`, 200),
  getting('the same order 1,700 times', `${workspaces}/@children?sortBy=${'ecm:pos,'.repeat(1_700)}`, 200),
  getting('schemas that every object has', '/id/<file>', 200, asking('properties: constructor,__proto__,toString')),
  getting('enrichers that every object has', '/id/<file>', 200, asking('enrichers-document: constructor,__proto__')),
  getting('things to fetch that every object has', '/id/<file>', 200, asking('properties: *', 'fetch-document: constructor')),
  getting('a depth that every object has', '/id/<file>', 200, asking('depth: constructor')),
  getting('a language that is none', '/id/<file>', 200, asking('Accept-Language: \x80;q=x,constructor')),
  getting('1,500 parameters', `/id/<file>?${'a&'.repeat(1_500)}`, 200),
  getting('a broken encoding in the query', '/id/<file>?a=%&b=%zz&c=%ff', 200),
  getting('a wish for another protocol', '/id/<file>', 200, asking('Upgrade: websocket')),
  getting('cookies of nonsense', '/id/<file>', 200, asking('Cookie: ;;=;a=%;JSESSIONID=x')),
  request(
    'properties that every object has',
    'PUT',
    '/id/<file>',
    200,
    put('{"constructor":{"prototype":{"x":1}},"toString":1}'),
  ),
  request('properties of no schema', 'PUT', '/id/<file>', 200, put('{"x:y":1,"dc:nothing":2,"dc:title/0":3,"":4}')),
  request('properties that are no object', 'PUT', '/id/<file>', 200, put('["dc:title"]')),
  request('a whole number for a file', 'PUT', '/id/<file>', 200, put('{"file:content":5}')),
  request(
    'a file on another machine',
    'PUT',
    '/id/<file>',
    200,
    put('{"file:content":{"data":"http://169.254.169.254/latest"}}'),
  ),
  request('a file on this machine', 'PUT', '/id/<file>', 200, put('{"file:content":{"data":"http://127.0.0.1:1/etc/passwd"}}')),
  request(
    'a file by a key of the store',
    'PUT',
    '/id/<file>',
    200,
    put('{"file:content":{"key":"../../etc/passwd","digest":"x"}}'),
  ),
]
