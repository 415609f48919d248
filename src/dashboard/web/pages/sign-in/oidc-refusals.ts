/**
 * What a person reads when the company's sign-in led back without an account, by the code in the address: our
 * own codes, better-auth's (its OAuth callback, its state and its account linking) and those that a provider
 * may send (RFC 6749, OpenID Connect Core).
 */

const expired =
  "The sign-in took too long, was begun in another browser, or was opened twice. Begin it again here.";
const away = "The provider cannot sign anybody in at the moment. Try again in a few minutes.";
const misconfigured =
  "The provider refused the way this service asks. Trying again will not help: whoever runs the service has to look at its OIDC settings.";
const unverifiable =
  "What the provider said about you could not be verified. Try again; if it stays so, whoever runs the service has to look at its OIDC settings.";
const notLinked =
  "A member with this address signs in with a password here, and your account at the provider is not connected to it. Use the password, or ask an owner.";
const otherAccount = "Your account at the provider belongs to another member here. Ask an owner.";
const ourFault = "The service could not finish the sign-in. Try again in a moment.";
const unfinished = "The provider wants something of you first. Sign in at the provider itself, then here.";

const refusals: ReadonlyMap<string, string> = new Map([
  ["not_invited", "Nobody has invited this address. Ask an owner for an invitation."],
  ["email_not_verified", "The provider has not verified this e-mail address."],
  ["email_not_found", "The provider did not say your e-mail address, which this service knows members by."],
  ["email_does_not_match", "The provider signed in another e-mail address than the one of this account."],
  ["signup_disabled", "Nobody has invited this address. Ask an owner for an invitation."],

  ["account_not_linked", notLinked],
  ["unable_to_link_account", ourFault],
  ["account_already_linked_to_different_user", otherAccount],
  ["account_ownership_conflict", otherAccount],
  ["account_provider_conflict", otherAccount],
  ["account_hook_binding_conflict", ourFault],
  ["user_hook_selection_conflict", ourFault],
  ["session_hook_user_conflict", ourFault],
  ["user_not_found", "This member was removed. Ask an owner for an invitation."],

  ["state_not_found", expired],
  ["state_mismatch", expired],
  ["state_security_mismatch", expired],
  ["state_invalid", expired],
  ["invalid_callback_request", expired],
  ["no_code", expired],
  ["invalid_code", "The provider did not accept its own answer any more. Begin the sign-in again."],

  ["unable_to_get_user_info", unverifiable],
  ["nonce_binding_missing", unverifiable],
  ["issuer_missing", unverifiable],
  ["issuer_mismatch", unverifiable],
  ["oauth_provider_not_found", "Signing in with the provider is not offered at the moment."],

  ["unable_to_create_user", ourFault],
  ["unable_to_update_account", ourFault],
  ["unable_to_create_session", ourFault],
  ["state_generation_error", ourFault],
  ["internal_server_error", ourFault],
  ["no_callback_url", ourFault],

  ["access_denied", "The sign-in was cancelled, or the provider does not let you use this service."],
  ["server_error", away],
  ["temporarily_unavailable", away],
  ["login_required", unfinished],
  ["interaction_required", unfinished],
  ["account_selection_required", unfinished],
  ["consent_required", unfinished],
  ["invalid_request", misconfigured],
  ["invalid_client", misconfigured],
  ["unauthorized_client", misconfigured],
  ["unsupported_response_type", misconfigured],
  ["invalid_scope", misconfigured],
  ["invalid_request_uri", misconfigured],
  ["invalid_request_object", misconfigured],
  ["request_not_supported", misconfigured],
  ["request_uri_not_supported", misconfigured],
  ["registration_not_supported", misconfigured],
]);

/** Words for any code: one that is not known is named, for whoever is asked about it. */
export function oidcRefusal(code: string): string {
  const known = refusals.get(code);
  if (known !== undefined) return known;
  const reason = code === "sign_in_failed" ? "" : ` It calls the reason “${code}”.`;
  return `The provider's sign-in did not succeed, and the service does not know why.${reason} Try again, or ask whoever runs the service.`;
}
