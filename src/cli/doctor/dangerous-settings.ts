import type { Settings } from '../../builtin-settings.ts'
import { isLoopback } from '../../settings/administrator-password.ts'
import { type Finding, good } from './finding.ts'

interface Asked {
  readonly settings: Settings
  /** Unknown where the database does not answer. */
  readonly hasDefaultPassword: boolean | undefined
  /** Whether anybody but this machine can reach it, as far as the settings tell. */
  readonly isPublic: boolean
}

type Told<Text> = Text | ((asked: Asked) => Text)

interface Danger {
  readonly about: string
  readonly isThere: (asked: Asked) => boolean
  readonly state: Told<'advice' | 'wrong'>
  readonly fact: Told<string>
  readonly costs: Told<string>
  readonly remedy: string
}

const dangers: readonly Danger[] = [
  {
    about: 'password',
    isThere: ({ hasDefaultPassword }) => hasDefaultPassword === true,
    state: ({ isPublic }) => (isPublic ? 'wrong' : 'advice'),
    fact: 'Administrator still has the default password, which everybody knows.',
    costs: ({ settings, isPublic }) => {
      if (!isPublic) return 'Whoever can reach this machine from within may do everything.'
      if (isLoopback(settings.host)) return 'Whoever reaches the proxy may do everything.'
      return `The server refuses to listen on ${settings.host}.`
    },
    remedy: 'quire user password Administrator.',
  },
  {
    about: 'user-emergency-enable',
    isThere: ({ settings }) => settings.userEmergencyEnable,
    state: 'advice',
    fact: ({ settings }) => `the emergency administrator ${settings.userEmergencyUsername} is let in.`,
    costs: 'Whoever has its password may do everything, and no list of users shows it.',
    remedy: 'Leave --user-emergency-enable off but for the day on which nobody else can sign in.',
  },
  {
    about: 'allowed-hosts',
    isThere: ({ settings, isPublic }) => isPublic && settings.allowedHosts.length === 0,
    state: 'advice',
    fact: 'requests are answered whatever host they name.',
    costs: 'Pages of others can have links of this server made with their own names, and reach it under them.',
    remedy: 'Name the hosts by which people know the server in --allowed-hosts.',
  },
  {
    about: 'trusted-proxies',
    isThere: ({ settings }) => settings.proxyTrusted && openRanges(settings).length > 0,
    state: 'wrong',
    fact: ({ settings }) => `${openRanges(settings).join(' and ')} trusts every address.`,
    costs:
      'Whoever asks can say from which address: limits and the log are worth nothing, and links in answers lead where they want.',
    remedy: 'Name the addresses of the proxies alone.',
  },
  {
    about: 'cors-urls',
    isThere: ({ settings }) => settings.corsUrls.includes('*'),
    state: 'wrong',
    fact: 'pages of every site may call the server.',
    costs: 'Any page that somebody opens can do here what they may do.',
    remedy: 'Name the origins of your own applications.',
  },
  {
    about: 'cors-allow-null-origin',
    isThere: ({ settings }) => settings.corsAllowNullOrigin,
    state: 'advice',
    fact: 'requests of pages without an origin are taken.',
    costs: 'Files that somebody opens, and frames of others, can call the server.',
    remedy: 'Leave it off outside of development.',
  },
  {
    about: 'dev-mode',
    isThere: ({ settings, isPublic }) => isPublic && settings.devMode,
    state: 'advice',
    fact: 'the server is in the mode for authors of clients, where others reach it.',
    costs: 'Pages without an origin may call it, and what clients did wrong all along is refused.',
    remedy: 'Leave --dev-mode off.',
  },
  {
    about: 'rest-stack-enable',
    isThere: ({ settings, isPublic }) => isPublic && settings.restStackEnable,
    state: 'advice',
    fact: 'errors are answered with where in the program they came from.',
    costs: 'Whoever looks for a weakness is told more than they should know.',
    remedy: 'Leave --rest-stack-enable off; the log has the same.',
  },
  {
    about: 'virtual-host',
    isThere: ({ settings, isPublic }) => isPublic && addressOf(settings)?.protocol === 'http:',
    state: 'wrong',
    fact: ({ settings }) => `people reach the server at ${addressOf(settings)?.origin}, without encryption.`,
    costs: 'Whoever sees the network in between can read passwords and documents.',
    remedy: 'Have a proxy speak HTTPS, and name that address in --virtual-host.',
  },
  {
    about: 'notification-delivery-insecure-hosts',
    isThere: ({ settings }) => settings.notificationDeliveryInsecureHosts.length > 0,
    state: 'advice',
    fact: ({ settings }) => `events go to ${settings.notificationDeliveryInsecureHosts.join(', ')} without encryption.`,
    costs: 'Whoever sees the network in between can read what happens to documents.',
    remedy: 'Give these receivers certificates.',
  },
]

/** Settings that let others in, or tell them too much. */
export async function findDangers(
  settings: Settings,
  hasDefaultPassword: () => Promise<boolean | undefined>,
): Promise<readonly Finding[]> {
  const asked: Asked = { settings, hasDefaultPassword: await hasDefaultPassword(), isPublic: isReachable(settings) }
  const findings = dangers
    .filter(({ isThere }) => isThere(asked))
    .map(
      ({ about, state, fact, costs, remedy }): Finding => ({
        state: told(state, asked),
        about,
        fact: told(fact, asked),
        costs: told(costs, asked),
        remedy,
      }),
    )
  return findings.length === 0 ? [good('settings', 'none of them is dangerous.')] : findings
}

function told<Text extends string>(text: Told<Text>, asked: Asked): Text {
  return typeof text === 'string' ? text : text(asked)
}

function isReachable(settings: Settings): boolean {
  const address = addressOf(settings)
  return !isLoopback(settings.host) || (address !== undefined && !isLoopback(address.hostname))
}

function addressOf({ virtualHost }: Settings): URL | undefined {
  return virtualHost === undefined ? undefined : new URL(virtualHost)
}

const everywhere = new Set(['0.0.0.0/0', '::/0'])

function openRanges({ trustedProxies }: Settings): readonly string[] {
  return trustedProxies.filter((range) => everywhere.has(range))
}
