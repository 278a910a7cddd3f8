import { useQuery } from '@tanstack/react-query'
import { AppWindow } from 'lucide-react'
import {
  type ClientChange,
  changeOAuth2Client,
  clientMistakes,
  createOAuth2Client,
  deleteOAuth2Client,
  type OAuth2Client,
  oauth2ClientQuery,
  oauth2Clients,
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

const screen = 'oauth2-clients'

/** Programs that may ask to act for people. */
export function Screen() {
  const say = useOAuth2Words()
  const columns = useClientColumns()
  return (
    <Register
      screen={screen}
      title={say('clients')}
      hint={say('clientsHint')}
      tools={<NewClient />}
      pages={oauth2Clients}
      columns={columns}
      keyOf={({ id }) => id}
      counted={(count) => say('clientCount', { count })}
      empty={{ icon: AppWindow, title: say('noClients'), hint: say('noClientsHint') }}
      detail={(key) => <ClientDetail key={key} id={key} />}
    />
  )
}

function useClientColumns(): readonly Column<OAuth2Client>[] {
  const say = useOAuth2Words()
  return [
    {
      id: 'name',
      label: say('name'),
      width: 'minmax(120px, 2fr)',
      render: ({ id, name }) => (
        <RegisterLink screen={screen} of={id}>
          {name}
        </RegisterLink>
      ),
    },
    { id: 'id', label: say('clientId'), width: 'minmax(80px, 2fr)', render: ({ id }) => id },
    {
      id: 'state',
      label: say('state'),
      width: '100px',
      render: ({ isEnabled }) => say(isEnabled ? 'enabled' : 'disabled'),
    },
    {
      id: 'asks',
      label: say('asks'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: ({ isAutoGrant }) => say(isAutoGrant ? 'autoGrant' : 'asked'),
    },
  ]
}

function useClientFields(client?: OAuth2Client): readonly FormField[] {
  const say = useOAuth2Words()
  const secretHint = client === undefined ? 'newSecretHint' : client.hasSecret ? 'secretKept' : 'secretAbsent'
  return [
    { name: 'name', label: say('name'), hint: say('nameHint'), isRequired: true },
    ...(client === undefined ? [{ name: 'id', label: say('clientId'), hint: say('clientIdHint'), isRequired: true }] : []),
    {
      name: 'redirectURIs',
      label: say('redirects'),
      hint: say('redirectsHint'),
      kind: 'lines',
      isRequired: true,
      longest: 20_000,
    },
    { name: 'secret', label: say('secret'), hint: say(secretHint), kind: 'secret' },
    ...(client?.hasSecret ? [{ name: 'forgetsSecret', label: say('forgetSecret'), kind: 'flag' as const }] : []),
    { name: 'isAutoGrant', label: say('autoGrant'), kind: 'flag' },
    ...(client === undefined ? [{ name: 'isEnabled', label: say('enabled'), kind: 'flag' as const }] : []),
  ]
}

/** Addresses stand on lines of their own. */
function changeIn({ redirectURIs, secret, forgetsSecret, name, isAutoGrant, isEnabled }: FormValues): ClientChange {
  return {
    ...(name !== undefined && { name: String(name) }),
    ...(redirectURIs !== undefined && { redirectURIs: String(redirectURIs).split(/\s+/).filter(Boolean) }),
    ...(secret !== undefined && secret !== '' && { secret: String(secret) }),
    ...(forgetsSecret === true && { secret: null }),
    ...(isAutoGrant !== undefined && { isAutoGrant: isAutoGrant === true }),
    ...(isEnabled !== undefined && { isEnabled: isEnabled === true }),
  }
}

function NewClient() {
  const say = useOAuth2Words()
  return <CreateButton label={say('newClient')}>{(close) => <NewClientForm close={close} />}</CreateButton>
}

function NewClientForm({ close }: { readonly close: () => void }) {
  const say = useOAuth2Words()
  const { search, goTo } = usePlace()
  return (
    <SavingForm
      fields={useClientFields()}
      before={{ isEnabled: true }}
      mistakes={clientMistakes}
      words={{ submit: say('newClient'), cancel: say('cancel') }}
      onCancel={close}
      save={(values) => createOAuth2Client(String(values['id'] ?? '').trim(), changeIn({ isEnabled: true, ...values }))}
      onSaved={({ id, name }) => {
        close()
        tell({ text: say('made', { name }) })
        void goTo(registerAddress(screen, id), search)
      }}
    />
  )
}

function ClientDetail({ id }: { readonly id: string }) {
  return (
    <Shown query={useQuery(oauth2ClientQuery(id))} waiting={<Skeleton />}>
      {(client) => <Registration client={client} />}
    </Shown>
  )
}

function Registration({ client }: { readonly client: OAuth2Client }) {
  const say = useOAuth2Words()
  const { id, name, isEnabled, isAutoGrant, redirectURIs } = client
  const removeWords = {
    remove: say('removeClient'),
    title: say('removeClientTitle', { name }),
    sentence: say('removeClientSentence'),
    cancel: say('cancel'),
    removed: say('removed', { name }),
  }
  return (
    <Detail title={name} id={id} badge={say(isEnabled ? 'enabled' : 'disabled')}>
      <EnableButton name={name} isEnabled={isEnabled} change={(next) => changeOAuth2Client(id, { isEnabled: next })} />
      <Panel title={say('registration')} actions={<RemoveButton words={removeWords} remove={() => deleteOAuth2Client(id)} />}>
        <SavingForm
          fields={useClientFields(client)}
          before={{ name, redirectURIs: redirectURIs.join('\n'), isAutoGrant }}
          mistakes={clientMistakes}
          words={{ submit: say('save'), cancel: say('cancel') }}
          save={(values) => changeOAuth2Client(id, changeIn(values))}
          onSaved={(_, showStored) => {
            showStored()
            tell({ text: say('saved') })
          }}
        />
      </Panel>
    </Detail>
  )
}
