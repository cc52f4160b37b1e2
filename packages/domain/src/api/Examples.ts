interface Example {
  readonly summary: string
  readonly value: object
}

/** Request bodies by operation: shown in the reference, sent by the contract tests. Ids are replaced by real ones. */
export const examples: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  postsCreate: {
    draft: {
      summary: "Save a draft",
      value: { social_accounts: [1], caption: "Evening bells", is_draft: true }
    },
    schedule: {
      summary: "Schedule",
      value: { social_accounts: [1], caption: "Evening bells", scheduled_at: "2030-12-24T18:00:00Z" }
    },
    queue: {
      summary: "At the next free slot of the queue",
      value: { social_accounts: [1], caption: "Evening bells", use_queue: true }
    },
    now: { summary: "Publish at once", value: { social_accounts: [1], caption: "Evening bells" } },
    thread: {
      summary: "A thread, or one post on platforms without threads",
      value: {
        social_accounts: [1],
        caption: "Evening bells",
        thread: ["The oldest rings at six.", { caption: "The smallest rings last." }],
        thread_fallback: "join",
        is_draft: true
      }
    },
    perAccount: {
      summary: "Another text for one account",
      value: {
        social_accounts: [1],
        caption: "Evening bells",
        account_configurations: [{ account_id: 1, caption: "Evening bells, from the tower" }],
        is_draft: true
      }
    }
  },
  clientReviewsCreateLink: {
    baker: { summary: "For a week", value: { name: "The baker", expires_in: 604_800 } }
  },
  notificationsSet: {
    channel: {
      summary: "Tell a channel of Mattermost",
      value: { url: "https://chat.example/hooks/secret", format: "mattermost" }
    }
  },
  postsUpdate: {
    move: { summary: "Move to another time", value: { scheduled_at: "2030-12-25T18:00:00Z" } },
    draft: { summary: "Back to a draft", value: { is_draft: true } }
  },
  queueSet: {
    week: {
      summary: "Two slots a week",
      value: {
        timezone: "Europe/Paris",
        slots: [
          { day: "mon", time: "09:00" },
          { day: "thu", time: "17:30" }
        ],
        jitter_minutes: 10
      }
    }
  },
  postsValidate: {
    schedule: {
      summary: "Check",
      value: { social_accounts: [1], caption: "Evening bells", scheduled_at: "2030-12-24T18:00:00Z" }
    }
  },
  postsRequestApproval: {
    at: { summary: "For a time", value: { scheduled_at: "2030-12-24T18:00:00Z" } },
    queue: { summary: "For the next free slot of the queue", value: { use_queue: true } }
  },
  postsApprove: {
    asAsked: { summary: "As was asked", value: {} },
    at: { summary: "At another time", value: { scheduled_at: "2030-12-24T18:00:00Z" } },
    queue: { summary: "At the next free slot of the queue", value: { use_queue: true } },
    now: { summary: "At once", value: { publish_now: true } }
  },
  postsRefuse: {
    reason: { summary: "With a reason", value: { reason: "Not on a Sunday." } }
  },
  postsRetry: {
    some: { summary: "Only these accounts", value: { social_accounts: [1] } },
    force: { summary: "Unconfirmed ones too", value: { force: true } }
  },
  resultsDismiss: {
    leave: { summary: "Dismiss the failure", value: { dismissed: true } },
    back: { summary: "Take that back", value: { dismissed: false } }
  },
  resultsConfirm: {
    published: {
      summary: "It is live",
      value: { published: true, url: "https://social.example/@alice/1234" }
    },
    notPublished: { summary: "It is not live", value: { published: false } }
  },
  mediaReserve: {
    image: {
      summary: "A picture",
      value: { mime_type: "image/png", size_bytes: 70, name: "bells.png" }
    }
  },
  mediaImport: {
    picture: {
      summary: "A picture on a public server",
      value: { url: "https://www.example.com/bells.jpg", name: "bells.jpg" }
    }
  },
  accountsConnect: {
    sandbox: {
      summary: "The test network",
      value: { platform: "sandbox", credentials: { username: "demo", password: "sandbox" } }
    },
    bluesky: {
      summary: "Bluesky, with an app password",
      value: {
        platform: "bluesky",
        credentials: { identifier: "alice.example", app_password: "abcd-efgh-ijkl-mnop" }
      }
    }
  },
  accountsStartConnect: {
    plain: { summary: "The test network", value: { platform: "sandbox" } },
    back: {
      summary: "Return to an address afterwards",
      value: { platform: "sandbox", redirect_url: "https://app.example/connected" }
    },
    server: {
      summary: "Mastodon, at the server of the account",
      value: { platform: "mastodon", fields: { server: "mastodon.sandbox" } }
    }
  },
  accountsConnectLink: {
    back: {
      summary: "Return to an address afterwards",
      value: { platform: "sandbox", return_url: "https://app.example/connected" }
    }
  },
  accountsChoose: { one: { summary: "One account", value: { accounts: ["bells-shop"] } } },
  accountsUpdate: {
    board: { summary: "Where pins go by default", value: { default_board_id: null } },
    audience: { summary: "Who sees TikTok posts by default", value: { default_privacy_level: null } }
  },
  webhooksCreate: {
    results: {
      summary: "Get the outcomes of posts",
      value: { url: "https://newsroom.example/carillon", events: ["post.published", "post.failed"] }
    }
  },
  webhooksUpdate: { resume: { summary: "Resume", value: { status: "active" } } },
  profileUpdate: { timezone: { summary: "Change the time zone", value: { timezone: "Europe/Paris" } } },
  apiKeysCreate: {
    scheduler: {
      summary: "A key that may schedule, not publish at once",
      value: { name: "newsletter", scopes: ["posts:write", "media:write"] }
    }
  },
  backupsCreate: {
    encrypted: {
      summary: "With all media, and CARILLON_SECRET under a passphrase",
      value: { include_media: true, passphrase: "four bells in the north tower" }
    }
  },
  workspacesCreate: {
    workspace: {
      summary: "A workspace for another team",
      value: { name: "Bell tower", timezone: "Europe/Paris" }
    }
  },
  platformAppsSet: {
    app: { summary: "As the platform shows them", value: { client_id: "1234567", client_secret: "sandbox" } }
  },
  platformAppsTest: {
    typed: {
      summary: "Before they are set",
      value: { client_id: "1234567", client_secret: "sandbox" }
    },
    present: { summary: "Those in use", value: {} }
  },
  sessionConfirm: {
    password: { summary: "Confirm the password", value: { password: "correct horse battery" } }
  },
  sessionChangePassword: {
    password: {
      summary: "Change the password",
      value: { current_password: "the one until now", new_password: "four words that differ" }
    }
  },
  secondFactorSetTotp: {
    confirm: {
      summary: "Confirm the secret",
      value: { secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", code: "123456" }
    }
  },
  secondFactorAddPasskey: {
    laptop: { summary: "Add one", value: { name: "Laptop", credential: '{"id":"…","response":{}}' } }
  },
  secondFactorConfirmWithPasskey: {
    answer: { summary: "Confirm with one", value: { credential: '{"id":"…","response":{}}' } }
  },
  connectedAppsUpdate: {
    hold: { summary: "Hold everything for approval", value: { needs_approval: true } },
    limit: { summary: "Only this account", value: { social_accounts: [1] } }
  },
  mediaUpdate: {
    describe: { summary: "Describe it", value: { alt_text: "Three bells in a tower at dusk" } }
  }
}
