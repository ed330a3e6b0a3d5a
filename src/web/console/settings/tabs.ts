/** Screens of the settings: address, name, what they are for. */
export const TABS = [
  ['/settings/general', 'general', 'generalText'],
  ['/settings/sign-in', 'signIn', 'signInText'],
  ['/settings/domain', 'domain', 'domainText'],
  ['/settings/privacy', 'privacy', 'privacyText'],
  ['/settings/security', 'security', 'securityText'],
  ['/settings/webhooks', 'webhooks', 'webhooksText'],
  ['/settings/channels', 'channels', 'channelsText'],
] as const

export type SettingsTab = (typeof TABS)[number][1]
