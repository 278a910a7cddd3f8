import { bestLanguage, parseLocales } from '../../../rest/request/accept-language.ts'

export type PageLanguage = 'en' | 'fr'

/** What the pages say. */
export interface SignInTexts {
  readonly signIn: string
  readonly userName: string
  readonly password: string
  readonly signOut: string
  readonly signedInAs: string
  readonly otherWays: string
  readonly goOn: string
  readonly back: string
  readonly running: string
  readonly documentation: string
  readonly problems: { readonly [problem in SignInProblem]: string }
  throttled(seconds: number): string
}

/** Parameters of the page that say why it is shown, the more telling first (contract: security 2.5). */
export const signInProblems = ['connectionFailed', 'loginMissing', 'loginFailed', 'nxtimeout', 'securityError'] as const
export type SignInProblem = (typeof signInProblems)[number]

export const signInTexts: Record<PageLanguage, SignInTexts> = {
  en: {
    signIn: 'Sign in',
    userName: 'User name',
    password: 'Password',
    signOut: 'Sign out',
    signedInAs: 'You are signed in as',
    otherWays: 'Or sign in with',
    goOn: 'Go on to the sign-in page',
    back: 'Back to the sign-in page',
    running: 'A document-management server runs here.',
    documentation: 'Documentation of the API',
    problems: {
      connectionFailed: 'The directory of users cannot be reached. Try again in a moment.',
      loginMissing: 'Enter your user name and your password.',
      loginFailed: 'The user name or the password is not right.',
      nxtimeout: 'Your session has ended. Sign in again.',
      securityError: 'You may not see that page. Sign in as somebody who may.',
    },
    throttled: (seconds) => `Too many attempts have failed. Try again in ${inWords(seconds, 'second', 'minute')}.`,
  },
  fr: {
    signIn: 'Se connecter',
    userName: 'Nom d’utilisateur',
    password: 'Mot de passe',
    signOut: 'Se déconnecter',
    signedInAs: 'Vous êtes connecté en tant que',
    otherWays: 'Ou se connecter avec',
    goOn: 'Continuer vers la page de connexion',
    back: 'Retour à la page de connexion',
    running: 'Un serveur de gestion documentaire fonctionne ici.',
    documentation: 'Documentation de l’API',
    problems: {
      connectionFailed: 'L’annuaire des utilisateurs est injoignable. Réessayez dans un instant.',
      loginMissing: 'Saisissez votre nom d’utilisateur et votre mot de passe.',
      loginFailed: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
      nxtimeout: 'Votre session a pris fin. Connectez-vous de nouveau.',
      securityError: 'Vous n’avez pas accès à cette page. Connectez-vous avec un compte autorisé.',
    },
    throttled: (seconds) => `Trop de tentatives ont échoué. Réessayez dans ${inWords(seconds, 'seconde', 'minute')}.`,
  },
}

function inWords(seconds: number, second: string, minute: string): string {
  const [count, unit] = seconds < 120 ? [seconds, second] : [Math.ceil(seconds / 60), minute]
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const languages = Object.keys(signInTexts) as readonly PageLanguage[]

/** The language that was asked for, else the first that the browser prefers of those that there are. */
export function choosePageLanguage(asked: string | null | undefined, acceptLanguage: unknown): PageLanguage {
  const accepted = typeof acceptLanguage === 'string' ? parseLocales(acceptLanguage) : []
  return bestLanguage(asked ? [asked.slice(0, 20), ...accepted] : accepted, languages, 'en')
}
