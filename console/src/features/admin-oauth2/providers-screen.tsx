import { useQuery } from '@tanstack/react-query'
import { Cable } from 'lucide-react'
import {
  changeOAuth2Provider,
  createOAuth2Provider,
  deleteOAuth2Provider,
  type OAuth2Provider,
  oauth2ProviderQuery,
  oauth2Providers,
  type ProviderChange,
  providerMistakes,
} from '../../api/administration/oauth2.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { CreateButton } from '../administration/create-button.tsx'
import { Detail, RemoveButton } from '../administration/detail.tsx'
import { EnableButton } from '../administration/enable-button.tsx'
import type { FormField, FormValues } from '../administration/fields-form.tsx'
import { Register, RegisterLink, registerAddress } from '../administration/register.tsx'
import { SavingForm } from '../administration/saving-form.tsx'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { useOAuth2Words } from './words.ts'

const screen = 'oauth2-providers'

/** Services elsewhere in which the server acts for people. */
export function Screen() {
  const say = useOAuth2Words()
  const columns = useProviderColumns()
  return (
    <Register
      screen={screen}
      title={say('providers')}
      hint={say('providersHint')}
      tools={<NewProvider />}
      pages={oauth2Providers}
      columns={columns}
      keyOf={({ serviceName }) => serviceName}
      counted={(count) => say('providerCount', { count })}
      empty={{ icon: Cable, title: say('noProviders'), hint: say('noProvidersHint') }}
      detail={(key) => <ProviderDetail key={key} name={key} />}
    />
  )
}

function useProviderColumns(): readonly Column<OAuth2Provider>[] {
  const say = useOAuth2Words()
  return [
    {
      id: 'name',
      label: say('serviceName'),
      width: 'minmax(120px, 1fr)',
      render: ({ serviceName }) => (
        <RegisterLink screen={screen} of={serviceName}>
          {serviceName}
        </RegisterLink>
      ),
    },
    {
      id: 'description',
      label: say('description'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: ({ description }) => description,
    },
    {
      id: 'state',
      label: say('state'),
      width: '100px',
      render: ({ isEnabled }) => say(isEnabled ? 'enabled' : 'disabled'),
    },
  ]
}

const addresses = {
  authorizationServerURL: 'authorizationServer',
  tokenServerURL: 'tokenServer',
  userAuthorizationURL: 'userAuthorization',
} as const

function useProviderFields(provider?: OAuth2Provider): readonly FormField[] {
  const say = useOAuth2Words()
  const isNew = provider === undefined
  return [
    ...(isNew ? [{ name: 'serviceName', label: say('serviceName'), hint: say('serviceNameHint'), isRequired: true }] : []),
    { name: 'description', label: say('description'), longest: 2_000 },
    ...Object.entries(addresses).map(([name, word]) => ({
      name,
      label: say(word),
      longest: 2_000,
      ...(word === 'userAuthorization' && { hint: say('userAuthorizationHint') }),
    })),
    { name: 'clientId', label: say('providerClientId'), longest: 2_000 },
    {
      name: 'clientSecret',
      label: say('secret'),
      kind: 'secret',
      longest: 2_000,
      ...(!isNew && { hint: say(provider.hasSecret ? 'secretKept' : 'secretAbsent') }),
    },
    { name: 'scopes', label: say('scopes'), hint: say('scopesHint'), longest: 2_000 },
    ...(isNew ? [{ name: 'isEnabled', label: say('enabled'), kind: 'flag' as const }] : []),
  ]
}

const texts = ['description', 'clientId', ...(Object.keys(addresses) as (keyof typeof addresses)[])] as const

function changeIn({ scopes, clientSecret, isEnabled, ...values }: FormValues): ProviderChange {
  const given = texts.filter((name) => values[name] !== undefined)
  return {
    ...Object.fromEntries(given.map((name) => [name, String(values[name]).trim() || null])),
    ...(scopes !== undefined && { scopes: String(scopes).split(',') }),
    ...(clientSecret !== undefined && clientSecret !== '' && { clientSecret: String(clientSecret) }),
    ...(isEnabled !== undefined && { isEnabled: isEnabled === true }),
  }
}

function NewProvider() {
  const say = useOAuth2Words()
  return <CreateButton label={say('newProvider')}>{(close) => <NewProviderForm close={close} />}</CreateButton>
}

function NewProviderForm({ close }: { readonly close: () => void }) {
  const say = useOAuth2Words()
  const { search, goTo } = usePlace()
  return (
    <SavingForm
      fields={useProviderFields()}
      before={{ isEnabled: true }}
      mistakes={providerMistakes}
      words={{ submit: say('newProvider'), cancel: say('cancel') }}
      onCancel={close}
      save={(values) =>
        createOAuth2Provider(String(values['serviceName'] ?? '').trim(), changeIn({ isEnabled: true, ...values }))
      }
      onSaved={({ serviceName: name }) => {
        close()
        tell({ text: say('made', { name }) })
        void goTo(registerAddress(screen, name), search)
      }}
    />
  )
}

function ProviderDetail({ name }: { readonly name: string }) {
  return (
    <Shown query={useQuery(oauth2ProviderQuery(name))} waiting={<Skeleton />}>
      {(provider) => <Registration provider={provider} />}
    </Shown>
  )
}

function Registration({ provider }: { readonly provider: OAuth2Provider }) {
  const say = useOAuth2Words()
  const { serviceName: name, description, isEnabled, clientId, hasSecret, scopes } = provider
  const isKnownThere = clientId !== null && hasSecret
  const removeWords = {
    remove: say('removeProvider'),
    title: say('removeProviderTitle', { name }),
    sentence: say('removeProviderSentence'),
    cancel: say('cancel'),
    removed: say('removed', { name }),
  }
  const before = Object.fromEntries(texts.map((field) => [field, provider[field] ?? '']))
  return (
    <Detail title={name} id={description ?? ''} badge={say(isEnabled ? 'enabled' : 'disabled')}>
      {isKnownThere ? null : <p>{say('notKnownThere')}</p>}
      <EnableButton
        name={name}
        isEnabled={isEnabled}
        isDisabled={!isKnownThere}
        change={(next) => changeOAuth2Provider(name, { isEnabled: next })}
      />
      <Panel title={say('registration')} actions={<RemoveButton words={removeWords} remove={() => deleteOAuth2Provider(name)} />}>
        <SavingForm
          fields={useProviderFields(provider)}
          before={{ ...before, scopes: scopes.join(', ') }}
          mistakes={providerMistakes}
          words={{ submit: say('save'), cancel: say('cancel') }}
          save={(values) => changeOAuth2Provider(name, changeIn(values))}
          onSaved={(_, showStored) => {
            showStored()
            tell({ text: say('saved') })
          }}
        />
      </Panel>
    </Detail>
  )
}
