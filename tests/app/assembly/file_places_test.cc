#include "app/assembly/file_places.h"

#include <gmock/gmock.h>

namespace idkiosk {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

Settings Shipped() {
  Settings settings;
  settings.state_folder = "/var/lib/idkiosk";
  settings.service.profile = "/etc/idkiosk/profiles/production.jsonc";
  return settings;
}

const RunPlaces kRun{.config = "/etc/idkiosk/kiosk.jsonc",
                     .program_folder = "/usr/bin",
                     .start_page = "/run/idkiosk/start.html",
                     .camera_reads = ""};

TEST(FilePlacesTest, ABoardsProgramWritesItsOwnFoldersAndDevicesAlone) {
  const FilePlaces places = PlacesOfRun(Shipped(), kRun);
  EXPECT_THAT(places.writable, testing::UnorderedElementsAre("/dev", "/var/lib/idkiosk",
                                                             "/etc/idkiosk", "/run/idkiosk"));
  for (const char* other : {"/", "/home", "/root", "/tmp", "/var", "/opt", ""}) {
    EXPECT_THAT(places.readable, Not(Contains(other)));
  }
}

TEST(FilePlacesTest, WhatTheSettingsNameIsReached) {
  Settings settings = Shipped();
  settings.log.file = "/var/log/idkiosk/log";
  settings.api.socket = "/srv/api/socket";
  settings.printer.target = "file:/srv/paper/receipt";
  settings.light.led = "/sys/class/leds/ring";
  settings.results.spool = "/srv/results";
  settings.results.webhook_ca = "/srv/bank.pem";
  settings.brand.logo = "/srv/logo.svg";
  RunPlaces run = kRun;
  run.camera_reads = "/srv/pictures";
  const FilePlaces places = PlacesOfRun(settings, run);
  EXPECT_THAT(places.writable, IsSupersetOf({"/var/log/idkiosk", "/srv/paper",
                                             "/sys/class/leds/ring", "/srv/api", "/srv/results"}));
  EXPECT_THAT(places.readable, IsSupersetOf({"/srv/logo.svg", "/srv/pictures", "/srv/bank.pem"}));
  settings.printer.target = "device:/srv/lp";
  EXPECT_THAT(PlacesOfRun(settings, kRun).writable, Contains("/srv/lp"));
}

}  // namespace
}  // namespace idkiosk
