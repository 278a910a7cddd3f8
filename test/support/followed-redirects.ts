/** Goes where a server leads a browser, with its cookies, until that is somewhere else. */
export async function followWithin(origin: string, address: string | URL): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = new URL(address)
  for (let step = 0; step < 10 && at.origin === origin; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${at.href} leads nowhere: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    at = new URL(location, at)
  }
  return at
}
