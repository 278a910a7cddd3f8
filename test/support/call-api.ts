export interface Called {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely, and a wrong guess fails the test
  readonly body: any
}

const administrator = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`

/** Calls the API of a server in another process as its administrator; `path` is below `/api/v1`. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  body?: object,
  headers: { readonly [name: string]: string } = {},
): Promise<Called> {
  const response = await fetch(new URL(`api/v1${path}`, url), {
    method,
    headers: { authorization: administrator, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
