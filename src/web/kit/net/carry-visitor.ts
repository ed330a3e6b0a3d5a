/** What was remembered of this browser's visitor follows them. A courtesy: signing in does not depend on it. */
export async function carryVisitor(visitor: string, access: string): Promise<void> {
  await fetch('/me/remembered/carry', {
    method: 'POST',
    headers: { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ anonymous_token: visitor }),
    keepalive: true,
  }).catch(() => {})
}
