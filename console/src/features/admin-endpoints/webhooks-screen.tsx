import { useQuery } from '@tanstack/react-query'
import { Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  type Webhook,
  type WebhookChange,
  webhookMistakes,
  webhookPath,
  webhookQuery,
  webhooks,
} from '../../api/administration/webhooks.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { CreateButton } from '../administration/create-button.tsx'
import { Detail, RemoveButton } from '../administration/detail.tsx'
import { EnableButton } from '../administration/enable-button.tsx'
import type { FormField, FormValues } from '../administration/fields-form.tsx'
import { Register, RegisterLink, registerAddress } from '../administration/register.tsx'
import { SavingForm } from '../administration/saving-form.tsx'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { Deliveries, secondsBetweenLooks } from './deliveries.tsx'
import styles from './endpoints.module.css'
import { RenewSecret, ShownSecret } from './shown-secret.tsx'
import { useEndpointWords } from './words.ts'

const screen = 'webhooks'

/** Who is told over HTTPS of what happens. */
export function Screen() {
  const say = useEndpointWords()
  const columns = useWebhookColumns()
  return (
    <Register
      screen={screen}
      title={say('webhooks')}
      hint={say('webhooksHint')}
      tools={<CreateButton label={say('newWebhook')}>{(close) => <NewWebhook close={close} />}</CreateButton>}
      pages={webhooks}
      columns={columns}
      keyOf={({ id }) => id}
      counted={(count) => say('webhookCount', { count })}
      empty={{ icon: WebhookIcon, title: say('noWebhooks'), hint: say('noWebhooksHint') }}
      detail={(key) => <WebhookDetail key={key} id={key} />}
    />
  )
}

function useWebhookColumns(): readonly Column<Webhook>[] {
  const say = useEndpointWords()
  const { ago, number } = useFormats()
  return [
    {
      id: 'url',
      label: say('url'),
      width: 'minmax(120px, 3fr)',
      render: ({ id, url }) => (
        <RegisterLink screen={screen} of={id} title={url}>
          {url}
        </RegisterLink>
      ),
    },
    { id: 'state', label: say('state'), width: '90px', render: ({ isEnabled }) => say(isEnabled ? 'enabled' : 'disabled') },
    { id: 'delivered', label: say('delivered'), width: '90px', isMinor: true, render: ({ delivered }) => number(delivered) },
    { id: 'failed', label: say('failed'), width: '90px', isMinor: true, render: ({ failed }) => number(failed) },
    {
      id: 'last',
      label: say('last'),
      width: 'minmax(0, 1fr)',
      isMinor: true,
      render: ({ lastAttempt }) => (lastAttempt === null ? say('never') : ago(lastAttempt)),
    },
  ]
}

function useWebhookFields(): readonly FormField[] {
  const say = useEndpointWords()
  return [
    { name: 'url', label: say('url'), hint: say('urlHint'), isRequired: true, longest: 2_048 },
    { name: 'events', label: say('events'), hint: say('eventsHint'), isRequired: true, longest: 20_000 },
    { name: 'description', label: say('description'), longest: 1_000 },
  ]
}

function changeIn({ url, events, description }: FormValues): WebhookChange {
  return {
    ...(url !== undefined && { url: String(url).trim() }),
    ...(events !== undefined && {
      events: String(events)
        .split(/[\s,]+/)
        .filter(Boolean),
    }),
    ...(description !== undefined && { description: String(description) }),
  }
}

function NewWebhook({ close }: { readonly close: () => void }) {
  const say = useEndpointWords()
  const { search, goTo } = usePlace()
  const fields = useWebhookFields()
  const [made, setMade] = useState<Webhook>()
  if (made !== undefined)
    return (
      <ShownSecret
        secret={made.secret ?? ''}
        onClose={() => {
          close()
          void goTo(registerAddress(screen, made.id), search)
        }}
      />
    )
  return (
    <SavingForm
      fields={fields}
      mistakes={webhookMistakes}
      words={{ submit: say('newWebhook'), cancel: say('cancel') }}
      onCancel={close}
      save={(values) => createWebhook(changeIn(values))}
      onSaved={setMade}
    />
  )
}

function WebhookDetail({ id }: { readonly id: string }) {
  const query = useQuery({ ...webhookQuery(id), refetchInterval: secondsBetweenLooks * 1_000 })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {(webhook) => <Whole webhook={webhook} />}
    </Shown>
  )
}

function Whole({ webhook }: { readonly webhook: Webhook }) {
  const say = useEndpointWords()
  const { id, url, description, events, isEnabled } = webhook
  const name = new URL(url).host
  const removeWords = {
    remove: say('remove'),
    title: say('removeTitle'),
    sentence: say('removeSentence', { url }),
    cancel: say('cancel'),
    removed: say('removed'),
  }
  return (
    <Detail title={name} id={description} badge={say(isEnabled ? 'enabled' : 'disabled')}>
      <div className={styles.buttons}>
        <EnableButton name={name} isEnabled={isEnabled} change={(next) => changeWebhook(id, { isEnabled: next })} />
        <RenewSecret id={id} />
      </div>
      <Deliveries path={webhookPath(id)} status={webhook} />
      <Panel title={say('setting')} actions={<RemoveButton words={removeWords} remove={() => deleteWebhook(id)} />}>
        <SavingForm
          fields={useWebhookFields()}
          before={{ url, description, events: events.join(', ') }}
          mistakes={webhookMistakes}
          words={{ submit: say('save'), cancel: say('cancel') }}
          save={(values) => changeWebhook(id, changeIn(values))}
          onSaved={(_, showStored) => {
            showStored()
            tell({ text: say('saved') })
          }}
        />
      </Panel>
    </Detail>
  )
}
