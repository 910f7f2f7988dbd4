"""A window of WebKitGTK for tests, which WebKitWebDriver leads. It takes its settings from the environment, because the driver
passes on no more than fixed arguments."""

import ctypes
import os

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

PR_SET_PDEATHSIG, SIGTERM = 1, 15
# Otherwise it would outlive a driver that was killed.
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGTERM)

folder = os.environ["WINDOW_FOLDER"]
width, height = (int(length) for length in os.environ["WINDOW_SIZE"].split("x"))

gtk = Gtk.Settings.get_default()
gtk.set_property("gtk-application-prefer-dark-theme", os.environ["WINDOW_THEME"] == "dark")
gtk.set_property("gtk-enable-animations", False)

manager = WebKit2.WebsiteDataManager(base_data_directory=f"{folder}/data", base_cache_directory=f"{folder}/cache")
# Pictures of other hosts are refused without leaving this machine.
nowhere = WebKit2.NetworkProxySettings.new(None, ["localhost", "127.0.0.1"])
nowhere.add_proxy_for_scheme("https", "http://127.0.0.1:9")
manager.set_network_proxy_settings(WebKit2.NetworkProxyMode.CUSTOM, nowhere)

context = WebKit2.WebContext(website_data_manager=manager)
context.set_automation_allowed(True)
context.set_preferred_languages([os.environ["WINDOW_LANGUAGE"]])

settings = WebKit2.Settings()
settings.set_enable_write_console_messages_to_stdout(True)
settings.set_enable_page_cache(True)


def open_window(_session):
    view = WebKit2.WebView(web_context=context, settings=settings, is_controlled_by_automation=True)
    view.connect("permission-request", lambda _view, request: request.deny() or True)
    view.connect("web-process-terminated", lambda _view, reason: print("CRASH", reason, flush=True))
    window = Gtk.Window()
    window.set_decorated(False)
    window.set_default_size(width, height)
    window.add(view)
    window.show_all()
    return view


def start(_context, session):
    about = WebKit2.ApplicationInfo()
    about.set_name("window")
    about.set_version(1, 0, 0)
    session.set_application_info(about)
    session.connect("create-web-view::window", open_window)
    session.connect("create-web-view::tab", open_window)


def save(_context, download):
    download.connect("decide-destination", lambda _, name: download.set_destination(f"file://{folder}/{name}") or True)
    download.connect("finished", lambda _: print("SAVED", download.get_destination(), flush=True))


context.connect("automation-started", start)
context.connect("download-started", save)
Gtk.main()
