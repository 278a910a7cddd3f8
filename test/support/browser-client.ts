/** A client that keeps cookies as a browser does, and follows no redirection unless told. */
export interface BrowserClient {
  readonly cookies: Map<string, string>
  get(path: string, headers?: { readonly [name: string]: string }): Promise<Response>
  postForm(
    path: string,
    fields: { readonly [name: string]: string },
    headers?: { readonly [name: string]: string },
  ): Promise<Response>
  send(method: string, path: string, init?: RequestInit): Promise<Response>
  /** Posts the form of the sign-in page. */
  signIn(user: string, password?: string, fields?: { readonly [name: string]: string }): Promise<Response>
}

/** @param base ends with a slash */
export function browserAt(base: string): BrowserClient {
  const cookies = new Map<string, string>()

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(new URL(path, base), { ...init, method, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) take(cookie)
    return response
  }

  function take(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ')
    const equals = pair.indexOf('=')
    if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, equals))
    else cookies.set(pair.slice(0, equals), pair.slice(equals + 1))
  }

  const postForm: BrowserClient['postForm'] = (path, fields, headers = {}) =>
    send('POST', path, { body: new URLSearchParams(fields), headers })

  return {
    cookies,
    send,
    postForm,
    get: (path, headers = {}) => send('GET', path, { headers }),
    signIn: (user, password = user, fields = {}) =>
      postForm('startup', { user_name: user, user_password: password, form_submitted_marker: '', ...fields }),
  }
}
