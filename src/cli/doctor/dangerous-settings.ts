import type { Settings } from '../../builtin-settings.ts'
import { isLoopback } from '../../settings/administrator-password.ts'
import { advice, type Finding, good, wrong } from './finding.ts'

/** Settings that let others in, or tell them too much. */
export async function findDangers(
  settings: Settings,
  hasDefaultPassword: () => Promise<boolean | undefined>,
): Promise<readonly Finding[]> {
  const findings = [
    ...tellPassword(settings, await hasDefaultPassword()),
    ...tellAddress(settings),
    ...tellProxies(settings),
    ...tellOrigins(settings),
    ...tellDevelopment(settings),
    ...tellPlainConnections(settings),
  ]
  return findings.length === 0 ? [good('settings', 'none of them is dangerous.')] : findings
}

/** Whether anybody but this machine can reach it, as far as the settings tell. */
function isPublic({ host, virtualHost }: Settings): boolean {
  return !isLoopback(host) || (virtualHost !== undefined && !isLoopback(new URL(virtualHost).hostname))
}

function tellPassword(settings: Settings, hasDefault: boolean | undefined): readonly Finding[] {
  if (hasDefault !== true) return []
  const told = {
    about: 'password',
    fact: 'Administrator still has the default password, which everybody knows.',
    remedy: 'quire user password Administrator.',
  }
  if (!isPublic(settings)) return [advice({ ...told, costs: 'Whoever can reach this machine from within may do everything.' })]
  const costs = isLoopback(settings.host)
    ? 'Whoever reaches the proxy may do everything.'
    : `The server refuses to listen on ${settings.host}.`
  return [wrong({ ...told, costs })]
}

function tellAddress(settings: Settings): readonly Finding[] {
  if (!isPublic(settings) || settings.allowedHosts.length > 0) return []
  return [
    advice({
      about: 'allowed-hosts',
      fact: 'requests are answered whatever host they name.',
      costs: 'Pages of others can have links of this server made with their own names, and reach it under them.',
      remedy: 'Name the hosts by which people know the server in --allowed-hosts.',
    }),
  ]
}

const everywhere = new Set(['0.0.0.0/0', '::/0'])

function tellProxies({ trustedProxies, proxyTrusted }: Settings): readonly Finding[] {
  const open = trustedProxies.filter((range) => everywhere.has(range))
  if (!proxyTrusted || open.length === 0) return []
  return [
    wrong({
      about: 'trusted-proxies',
      fact: `${open.join(' and ')} trusts every address.`,
      costs:
        'Whoever asks can say from which address: limits and the log are worth nothing, and links in answers lead where they want.',
      remedy: 'Name the addresses of the proxies alone.',
    }),
  ]
}

function tellOrigins({ corsUrls, corsAllowNullOrigin }: Settings): readonly Finding[] {
  const findings: Finding[] = []
  if (corsUrls.includes('*'))
    findings.push(
      wrong({
        about: 'cors-urls',
        fact: 'pages of every site may call the server.',
        costs: 'Any page that somebody opens can do here what they may do.',
        remedy: 'Name the origins of your own applications.',
      }),
    )
  if (corsAllowNullOrigin)
    findings.push(
      advice({
        about: 'cors-allow-null-origin',
        fact: 'requests of pages without an origin are taken.',
        costs: 'Files that somebody opens, and frames of others, can call the server.',
        remedy: 'Leave it off outside of development.',
      }),
    )
  return findings
}

function tellDevelopment(settings: Settings): readonly Finding[] {
  const findings: Finding[] = []
  if (settings.devMode && isPublic(settings))
    findings.push(
      advice({
        about: 'dev-mode',
        fact: 'the server is in the mode for authors of clients, where others reach it.',
        costs: 'Pages without an origin may call it, and what clients did wrong all along is refused.',
        remedy: 'Leave --dev-mode off.',
      }),
    )
  if (settings.restStackEnable && isPublic(settings))
    findings.push(
      advice({
        about: 'rest-stack-enable',
        fact: 'errors are answered with where in the program they came from.',
        costs: 'Whoever looks for a weakness is told more than they should know.',
        remedy: 'Leave --rest-stack-enable off; the log has the same.',
      }),
    )
  return findings
}

function tellPlainConnections(settings: Settings): readonly Finding[] {
  const { virtualHost, notificationDeliveryInsecureHosts: insecure } = settings
  const findings: Finding[] = []
  if (virtualHost !== undefined && isPublic(settings) && new URL(virtualHost).protocol === 'http:')
    findings.push(
      wrong({
        about: 'virtual-host',
        fact: `people reach the server at ${new URL(virtualHost).origin}, without encryption.`,
        costs: 'Whoever sees the network in between can read passwords and documents.',
        remedy: 'Have a proxy speak HTTPS, and name that address in --virtual-host.',
      }),
    )
  if (insecure.length > 0)
    findings.push(
      advice({
        about: 'notification-delivery-insecure-hosts',
        fact: `events go to ${insecure.join(', ')} without encryption.`,
        costs: 'Whoever sees the network in between can read what happens to documents.',
        remedy: 'Give these receivers certificates.',
      }),
    )
  return findings
}
